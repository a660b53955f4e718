import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;

/** A signer written from the published format alone: plain string formatting gives the exact bytes, the JDK the signature. */
record Transfer(String chainId, String from, String to, String amount, long nonce) {
  /** What precedes the 32 bytes of a seed in PKCS #8 (RFC 8410). */
  private static final String PKCS8_PREFIX = "302e020100300506032b657004220420";

  record Signed(String signature, String txHash) {}

  private String fields(String signature) {
    return "{\"amount\":\"%s\",\"chainId\":\"%s\",\"from\":\"%s\",\"nonce\":%d,%s\"to\":\"%s\"}".formatted(amount, chainId, from, nonce, signature, to);
  }

  /** The signature, and the hash by which the transfer will be known. */
  Signed sign(String seedHex) throws GeneralSecurityException {
    var key = KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(HexFormat.of().parseHex(PKCS8_PREFIX + seedHex)));
    var signer = Signature.getInstance("Ed25519");
    signer.initSign(key);
    signer.update(("txledger-transfer-v1\n" + fields("")).getBytes(StandardCharsets.UTF_8));
    var signature = HexFormat.of().formatHex(signer.sign());
    var raw = fields("\"signature\":\"" + signature + "\",").getBytes(StandardCharsets.UTF_8);
    return new Signed(signature, HexFormat.of().withUpperCase().formatHex(MessageDigest.getInstance("SHA-256").digest(raw)));
  }
}
