/** Every operation of the contract with its handler. Leaving one out, or misspelling it, does not compile. */
import type { Handlers } from '../typed/types.ts';
import { cancelTransaction } from './cancelTransaction.ts';
import { checkTransaction } from './checkTransaction.ts';
import { createWebhook } from './createWebhook.ts';
import { deleteWebhook } from './deleteWebhook.ts';
import { getAccount } from './getAccount.ts';
import { getApiCatalog } from './getApiCatalog.ts';
import { getChain } from './getChain.ts';
import { getLiveness } from './getLiveness.ts';
import { getMetrics } from './getMetrics.ts';
import { getOpenapiClientJson } from './getOpenapiClientJson.ts';
import { getOpenapiJson } from './getOpenapiJson.ts';
import { getOpenapiYaml } from './getOpenapiYaml.ts';
import { getReadiness } from './getReadiness.ts';
import { getReceipt } from './getReceipt.ts';
import { getTransaction } from './getTransaction.ts';
import { getWebhook } from './getWebhook.ts';
import { listEvents } from './listEvents.ts';
import { listEntries } from './listEntries.ts';
import { listAccounts } from './listAccounts.ts';
import { listTransactions } from './listTransactions.ts';
import { listWebhookDeliveries } from './listWebhookDeliveries.ts';
import { listWebhooks } from './listWebhooks.ts';
import { bindAddress } from './bindAddress.ts';
import { createToken } from './createToken.ts';
import { getToken } from './getToken.ts';
import { listBoundAddresses } from './listBoundAddresses.ts';
import { listTokens } from './listTokens.ts';
import { revokeToken } from './revokeToken.ts';
import { rotateToken } from './rotateToken.ts';
import { unbindAddress } from './unbindAddress.ts';
import { updateToken } from './updateToken.ts';
import type { HandlerParts } from './parts.ts';
import { replayWebhook } from './replayWebhook.ts';
import { rotateWebhookSecret } from './rotateWebhookSecret.ts';
import { submitCancel } from './submitCancel.ts';
import { submitTransaction } from './submitTransaction.ts';
import { submitTransactionBatch } from './submitTransactionBatch.ts';
import { testWebhook } from './testWebhook.ts';
import { updateWebhook } from './updateWebhook.ts';

export function createHandlers(parts: HandlerParts): Handlers {
  return {
    submitTransaction: submitTransaction(parts),
    submitTransactionBatch: submitTransactionBatch(parts),
    checkTransaction: checkTransaction(parts),
    listTransactions: listTransactions(parts),
    getTransaction: getTransaction(parts),
    getReceipt: getReceipt(parts),
    cancelTransaction: cancelTransaction(parts),
    submitCancel: submitCancel(parts),
    getAccount: getAccount(parts),
    listEntries: listEntries(parts),
    listEvents: listEvents(parts),
    listAccounts: listAccounts(parts),
    createWebhook: createWebhook(parts),
    listWebhooks: listWebhooks(parts),
    getWebhook: getWebhook(parts),
    updateWebhook: updateWebhook(parts),
    deleteWebhook: deleteWebhook(parts),
    rotateWebhookSecret: rotateWebhookSecret(parts),
    testWebhook: testWebhook(parts),
    listWebhookDeliveries: listWebhookDeliveries(parts),
    replayWebhook: replayWebhook(parts),
    listTokens: listTokens(parts),
    createToken: createToken(parts),
    getToken: getToken(parts),
    updateToken: updateToken(parts),
    revokeToken: revokeToken(parts),
    rotateToken: rotateToken(parts),
    listBoundAddresses: listBoundAddresses(parts),
    bindAddress: bindAddress(parts),
    unbindAddress: unbindAddress(parts),
    getChain: getChain(parts),
    getLiveness: getLiveness(parts),
    getReadiness: getReadiness(parts),
    getMetrics: getMetrics(parts),
    getApiCatalog: getApiCatalog(parts),
    getOpenapiJson: getOpenapiJson(parts),
    getOpenapiYaml: getOpenapiYaml(parts),
    getOpenapiClientJson: getOpenapiClientJson(parts),
  };
}
