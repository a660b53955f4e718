import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import ledger.ApiClient;
import ledger.ApiException;
import ledger.ApiResponse;
import ledger.api.AccountsApi;
import ledger.api.ChainApi;
import ledger.api.TransactionsApi;
import ledger.model.Problem;
import ledger.model.Transaction;
import ledger.model.TransactionInput;
import ledger.model.TransactionPage;

/** What a partner in Java does with the client that openapi-generator makes: read, pay, find the payment, take one back, be told what was wrong. */
public final class Main {
  private static final String AMOUNT = "250";
  /** How far ahead of the account's nonce the transfer is that gets cancelled: it can only wait. */
  private static final long NONCES_AHEAD = 500;

  private final String seed;
  private final TransactionsApi transactions;

  private Main(String seed, TransactionsApi transactions) {
    this.seed = seed;
    this.transactions = transactions;
  }

  public static void main(String[] arguments) throws Exception {
    var dev = new ObjectMapper().readTree(Files.readString(Path.of(arguments[0])));
    var sender = dev.get("accounts").get(0);
    var address = sender.get("address").asText();
    var receiver = dev.get("accounts").get(1).get("address").asText();
    var client = new ApiClient();
    client.updateBaseUri(dev.get("baseUrl").asText());
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + dev.get("token").asText()));
    var anyone = new ApiClient();
    anyone.updateBaseUri(dev.get("baseUrl").asText());
    // What every status, code and event is, where answers are those of a later version.
    var later = dev.path("later").asText(null);
    UnaryOperator<String> word = now -> later == null ? now : later;
    var job = new Main(sender.get("seed").asText(), new TransactionsApi(client));

    var chainId = step("read chain, without a token", () -> new ChainApi(anyone).getChain(null).getChainId());
    expect("chain", chainId, dev.get("chainId").asText());
    long nonce = step("read account", () -> new AccountsApi(client).getAccount(address, null, null, null).getNextNonce());

    var hashes = step("pay twice, and wait until each is committed", () -> {
      var paid = new ArrayList<String>();
      for (long at = nonce; at < nonce + 2; at++) {
        var transfer = new Transfer(chainId, address, receiver, AMOUNT, at);
        var answer = job.submit(transfer, "wait=30");
        expect("status", answer.getStatusCode(), 201);
        Transaction committed = answer.getData();
        expect("hash", committed.getTxHash(), transfer.sign(job.seed).txHash());
        expect("status", committed.getStatus(), word.apply("committed"));
        paid.add(committed.getTxHash());
      }
      return paid;
    });
    var first = hashes.get(0);

    step("read the transaction with its history", () -> {
      Transaction found = job.transactions.getTransaction(first, null, null);
      expect("hash", found.getTxHash(), first);
      expect("status", found.getStatus(), word.apply("committed"));
      expect("has a height", found.getHeight() > 0, true);
      expect("last event", lastEvent(found), word.apply("committed"));
      return null;
    });

    step("list by cursor until the first is seen", () -> {
      String cursor = null;
      for (int pages = 1; ; pages++) {
        TransactionPage page = job.transactions.listTransactions(null, 1, cursor, null, address, null, null, null, null, null);
        if (page.getTransactions().stream().anyMatch(listed -> listed.getTxHash().equals(first))) {
          expect("more than one page", pages > 1, true);
          return null;
        }
        cursor = Objects.requireNonNull(page.getNextCursor(), first + " is on no page");
      }
    });

    step("submit " + NONCES_AHEAD + " nonces ahead, and cancel it", () -> {
      var ahead = new Transfer(chainId, address, receiver, AMOUNT, nonce + 2 + NONCES_AHEAD);
      var answer = job.submit(ahead, null);
      expect("status", answer.getStatusCode(), 202);
      Transaction pending = answer.getData();
      expect("status", pending.getStatus(), word.apply("pending"));
      Transaction cancelled = job.transactions.cancelTransaction(pending.getTxHash(), null, "wait=30");
      expect("hash", cancelled.getTxHash(), pending.getTxHash());
      expect("status", cancelled.getStatus(), word.apply("cancelled"));
      expect("last event", lastEvent(job.transactions.getTransaction(pending.getTxHash(), null, null)), word.apply("cancelled"));
      return null;
    });

    step("another payment at a nonce in use is a typed problem that names the first", () -> {
      try {
        job.submit(new Transfer(chainId, address, receiver, "251", nonce), null);
        throw new IllegalStateException("the payment was taken");
      } catch (ApiException refused) {
        expect("status", refused.getCode(), 409);
        var problem = ApiClient.createDefaultObjectMapper().readValue(refused.getResponseBody(), Problem.class);
        expect("code", problem.getCode(), word.apply("nonce_conflict"));
        expect("retriable", problem.getRetriable(), false);
        expect("transaction", problem.getTxHash(), first);
        return null;
      }
    });

  }

  private ApiResponse<Transaction> submit(Transfer transfer, String prefer) throws Exception {
    var body = new TransactionInput()
        .from(transfer.from())
        .to(transfer.to())
        .amount(transfer.amount())
        .nonce(transfer.nonce())
        .signature(transfer.sign(seed).signature());
    return transactions.submitTransactionWithHttpInfo(body, null, prefer, null);
  }

  private static String lastEvent(Transaction found) {
    return found.getHistory().get(found.getHistory().size() - 1).getEvent();
  }

  private static <T> T step(String name, Callable<T> work) throws Exception {
    long startedNs = System.nanoTime();
    T result = work.call();
    System.out.printf("  %s (%.3f s)%n", name, (System.nanoTime() - startedNs) / 1e9);
    return result;
  }

  private static void expect(String what, Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) throw new IllegalStateException("%s: expected %s, got %s".formatted(what, expected, actual));
  }
}
