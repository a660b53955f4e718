# frozen_string_literal: true

# A signer written from the published format alone: string formatting gives the exact bytes, OpenSSL the signature.
require 'openssl'

# What a partner wants to pay.
Transfer = Struct.new(:chain_id, :from, :to, :amount, :nonce) do
  # @return the signature, and the hash by which the transfer will be known
  def sign(seed_hex)
    # What precedes the 32 bytes of a seed in PKCS #8 (RFC 8410).
    key = OpenSSL::PKey.read(["302e020100300506032b657004220420#{seed_hex}"].pack('H*'))
    signature = key.sign(nil, "txledger-transfer-v1\n#{fields}").unpack1('H*')
    [signature, OpenSSL::Digest::SHA256.hexdigest(fields(%("signature":"#{signature}",))).upcase]
  end

  private

  def fields(signature = '')
    %({"amount":"#{amount}","chainId":"#{chain_id}","from":"#{from}","nonce":#{nonce},#{signature}"to":"#{to}"})
  end
end
