//! Every method of tendermint-rpc's client, over HTTP and over the websocket, and its subscriptions, against one server.
//!
//! Reads what run.ts prepared from the file named by its argument and prints one row a method. Ends with 1 when one failed.

mod proof;

use std::time::Duration;

use futures::StreamExt;
use tendermint::block::Height;
use tendermint::evidence::{DuplicateVoteEvidence, Evidence};
use tendermint::vote::{Type, ValidatorIndex, Vote};
use tendermint::{Genesis, Hash};
use tendermint_rpc::error::ErrorDetail;
use tendermint_rpc::event::EventData;
use tendermint_rpc::query::{EventType, Query};
use tendermint_rpc::{Client, HttpClient, Order, Paging, SubscriptionClient, WebSocketClient};

const WAIT: Duration = Duration::from_secs(30);

type Failure = Box<dyn std::error::Error>;

#[derive(serde::Deserialize)]
struct Task {
    /// With the token as the password.
    http: String,
    websocket: String,
    /// Address of an account that paid.
    account: String,
    /// A committed payment.
    hash: Hash,
    /// Signed transfers in base64 that nobody has broadcast yet, in the order of their nonces.
    transfers: Vec<String>,
}

struct Table {
    transport: &'static str,
    failed: usize,
}

impl Table {
    fn row<T>(&mut self, method: &str, outcome: Result<T, Failure>, detail: impl FnOnce(&T) -> String) -> Option<T> {
        match outcome {
            Ok(answer) => {
                println!("{:<9} {:<36} ok      {}", self.transport, method, detail(&answer));
                Some(answer)
            }
            Err(error) => {
                // flex-error prints causes over many lines, then a place in the crate and a stack.
                let text = format!("{error:?}").split_whitespace().collect::<Vec<_>>().join(" ");
                println!("{:<9} {:<36} FAILED  {}", self.transport, method, text.split(" Location:").next().unwrap_or_default());
                self.failed += 1;
                None
            }
        }
    }
}

/// The answer, after a check of what it says.
fn checked<T, E: Into<Failure>>(answer: Result<T, E>, holds: impl FnOnce(&T) -> bool) -> Result<T, Failure> {
    let answer = answer.map_err(Into::into)?;
    if holds(&answer) { Ok(answer) } else { Err("it was read, and says something else than it should".into()) }
}

fn bytes_of(base64: &str) -> Vec<u8> {
    // The crate's own reader of base64, through the only type that exposes it.
    #[derive(serde::Deserialize)]
    struct Bytes(#[serde(with = "tendermint::serializers::bytes::base64string")] Vec<u8>);
    serde_json::from_value::<Bytes>(base64.into()).expect("base64").0
}

async fn reads<C: Client + Sync>(client: &C, task: &Task, table: &mut Table) {
    table.row("health", client.health().await.map_err(Into::into), |()| String::new());
    table.row("status", checked(client.status().await, |status| status.node_info.version.to_string().starts_with("0.38.")), |status| format!("height {}", status.sync_info.latest_block_height));
    table.row("net_info", client.net_info().await.map_err(Into::into), |info| format!("{} peers", info.n_peers));
    table.row("abci_info", checked(client.abci_info().await, |info| info.last_block_height.value() > 0), |info| format!("{} {}", info.data, info.version));
    table.row("genesis", checked(client.genesis::<serde_json::Value>().await, |genesis: &Genesis| genesis.consensus_params.block.max_bytes == 104_857_600), |genesis| format!("max_bytes {}", genesis.consensus_params.block.max_bytes));
    table.row("genesis_chunked", checked(client.genesis_chunked(0).await, |chunk| chunk.total == 1), |chunk| format!("{} bytes", chunk.data.len()));
    let chunks: Vec<Result<Vec<u8>, _>> = client.genesis_chunked_stream().await.collect().await;
    let joined = chunks.into_iter().collect::<Result<Vec<_>, _>>().map(|chunks| chunks.concat());
    table.row("genesis_chunked_stream", checked(joined, |text| serde_json::from_slice::<Genesis>(text).is_ok()), |text| format!("{} bytes, a genesis", text.len()));
    let params = table.row("latest_consensus_params", client.latest_consensus_params().await.map_err(Into::into), |found| format!("max_bytes {}", found.consensus_params.block.max_bytes));
    table.row("consensus_params", checked(client.consensus_params(Height::from(1_u32)).await, |found| params.as_ref().is_some_and(|latest| latest.consensus_params == found.consensus_params)), |_| "the same at height 1".into());
    table.row("consensus_state", client.consensus_state().await.map_err(Into::into), |state| format!("{:?}", state.round_state.height_round_step));
    for (name, paging) in [("validators", Paging::Default), ("validators (all)", Paging::All), ("validators (page)", Paging::Specific { page_number: 1_usize.into(), per_page: 10_u8.into() })] {
        table.row(name, checked(client.validators(Height::from(1_u32), paging).await, |found| found.validators.len() == 1), |found| format!("power {}", found.validators[0].power));
    }

    let hash = task.hash;
    let Some(tx) = table.row("tx (prove)", checked(client.tx(hash, true).await, |tx| tx.hash == hash && tx.proof.is_some()), |tx| format!("height {}", tx.height)) else { return };
    table.row("tx", checked(client.tx(hash, false).await, |found| found.tx == tx.tx && found.proof.is_none()), |found| format!("code {:?}, {} events", found.tx_result.code, found.tx_result.events.len()));
    let height = tx.height;
    let Some(block) = table.row("block", checked(client.block(height).await, |found| found.block.header.hash() == found.block_id.hash), |found| format!("{} transactions, hash as the crate computes it", found.block.data.len())) else { return };
    let proved = tx.proof.as_ref().and_then(|found| proof::data_hash(&tx.tx, &found.proof));
    table.row("tx (proof leads to data_hash)", checked(Ok::<_, Failure>(proved), |root| root.is_some_and(|root| block.block.header.data_hash == Some(Hash::Sha256(root)))), |_| String::new());
    let id = block.block_id.hash;
    table.row("block_by_hash", checked(client.block_by_hash(id).await, |found| found.block.as_ref() == Some(&block.block)), |_| "the same block".into());
    table.row("block_by_hash (unknown)", checked(client.block_by_hash(Hash::Sha256([7; 32])).await, |found| found.block.is_none()), |_| "none".into());
    table.row("latest_block", checked(client.latest_block().await, |found| found.block.header.height >= height), |found| format!("height {}", found.block.header.height));
    table.row("header", checked(client.header(height).await, |found| found.header == block.block.header), |_| "the same header".into());
    table.row("header_by_hash", checked(client.header_by_hash(id).await, |found| found.header.as_ref() == Some(&block.block.header)), |_| "the same header".into());
    table.row("block_results", checked(client.block_results(height).await, |found| found.txs_results.as_ref().is_some_and(|results| results.len() == block.block.data.len())), |found| format!("app_hash {}", found.app_hash));
    let first = Height::from(1_u32);
    table.row("block (1)", checked(client.block(first).await, |found| found.block.data.is_empty() && found.block.header.hash() == found.block_id.hash), |_| "without transactions, nothing before it".into());
    table.row("block_results (1)", checked(client.block_results(first).await, |found| found.height == first), |found| format!("{:?} results", found.txs_results.as_ref().map(Vec::len)));
    table.row("latest_block_results", client.latest_block_results().await.map_err(Into::into), |found| format!("height {}", found.height));
    table.row("blockchain", checked(client.blockchain(Height::from(1_u32), height).await, |found| !found.block_metas.is_empty()), |found| format!("{} of {}", found.block_metas.len(), found.last_height));
    let Some(commit) = table.row("commit", checked(client.commit(height).await, |found| found.signed_header.header == block.block.header), |found| format!("{} signatures", found.signed_header.commit.signatures.len())) else { return };
    table.row("latest_commit", client.latest_commit().await.map_err(Into::into), |found| format!("height {}", found.signed_header.header.height));
    table.row("tx_search", checked(client.tx_search(Query::eq("tx.height", height.value()), true, 1, 10, Order::Ascending).await, |found| found.txs.iter().any(|one| one.hash == hash && one.proof.is_some())), |found| format!("{} found", found.total_count));
    table.row("block_search", checked(client.block_search(Query::eq("block.height", height.value()), 1, 10, Order::Descending).await, |found| found.blocks.len() == 1), |found| format!("{} found", found.total_count));

    let Some(state) = table.row("abci_query (prove)", checked(client.abci_query(Some("/store/accounts/key".into()), task.account.as_bytes(), None, true).await, |found| found.code.is_ok() && found.proof.is_some()), |found| format!("height {}, {} bytes", found.height, found.value.len())) else { return };
    let above = client.header(state.height.increment()).await;
    let root = state.proof.as_ref().and_then(|found| proof::app_hash(&state.value, found));
    table.row("abci_query (proof leads to app_hash)", checked(above, |found| root.is_some_and(|root| found.header.app_hash.as_bytes() == root)), |found| format!("of header {}", found.header.height));
    table.row("abci_query (unknown path)", checked(client.abci_query(Some("/nowhere".into()), Vec::new(), None, false).await, |found| found.code.is_err()), |found| format!("code {:?}", found.code));

    let refused = client.broadcast_evidence(two_votes(&commit.signed_header.commit)).await;
    table.row("broadcast_evidence (refused)", said_by_the_node(refused), Clone::clone);
    let late = client.block(Height::from(100_000_000_u32)).await;
    table.row("block (beyond the chain)", said_by_the_node(late), Clone::clone);
}

/// An error that the node said, and not one of reading its answer.
fn said_by_the_node<T: std::fmt::Debug>(answer: Result<T, tendermint_rpc::Error>) -> Result<String, Failure> {
    match answer {
        Err(tendermint_rpc::Error(ErrorDetail::Response(detail), _)) => Ok(format!("{:?}", detail.source.data().unwrap_or(detail.source.message()))),
        Err(error) => Err(error.into()),
        Ok(answer) => Err(format!("it was taken: {answer:?}").into()),
    }
}

/// Not evidence of anything: a vote of the block, twice.
fn two_votes(commit: &tendermint::block::Commit) -> Evidence {
    let (address, time, signature) = match &commit.signatures[0] {
        tendermint::block::CommitSig::BlockIdFlagCommit { validator_address, timestamp, signature } => (*validator_address, *timestamp, signature.clone()),
        other => panic!("the first signature is {other:?}"),
    };
    let vote = Vote {
        vote_type: Type::Precommit,
        height: commit.height,
        round: commit.round,
        block_id: Some(commit.block_id),
        timestamp: Some(time),
        validator_address: address,
        validator_index: ValidatorIndex::try_from(0_u32).expect("an index"),
        signature,
        extension: Vec::new(),
        extension_signature: None,
    };
    DuplicateVoteEvidence::new(vote.clone(), vote).expect("evidence").into()
}

async fn broadcasts<C: Client + Sync>(client: &C, transfers: &[String], table: &mut Table) {
    let [first, second, third] = transfers else { panic!("three transfers a transport") };
    let answer = checked(client.broadcast_tx_async(bytes_of(first)).await, |answer| answer.code.is_ok());
    table.row("broadcast_tx_async", answer, |answer| answer.hash.to_string());
    let answer = checked(client.broadcast_tx_sync(bytes_of(second)).await, |answer| answer.code.is_ok());
    table.row("broadcast_tx_sync", answer, |answer| answer.hash.to_string());
    let answer = checked(client.broadcast_tx_sync(vec![1, 2, 3]).await, |answer| answer.code.is_err());
    table.row("broadcast_tx_sync (refused)", answer, |answer| answer.log.clone());
    let answer = checked(client.broadcast_tx_commit(bytes_of(third)).await, |answer| answer.tx_result.code.is_ok() && answer.height.value() > 0);
    table.row("broadcast_tx_commit", answer, |answer| format!("height {}", answer.height));
}

/// The next event within WAIT.
async fn next(events: &mut tendermint_rpc::Subscription) -> Result<EventData, Failure> {
    let event = tokio::time::timeout(WAIT, events.next()).await?.ok_or("the subscription ended")??;
    Ok(event.data)
}

async fn subscriptions(client: &WebSocketClient, transfer: &str, table: &mut Table) {
    let blocks = Query::from(EventType::NewBlock);
    let payments = Query::from(EventType::Tx);
    let Some(mut new_blocks) = table.row("subscribe (NewBlock)", client.subscribe(blocks.clone()).await.map_err(Into::into), |_| String::new()) else { return };
    let Some(mut txs) = table.row("subscribe (Tx)", client.subscribe(payments.clone()).await.map_err(Into::into), |_| String::new()) else { return };
    let raw = bytes_of(transfer);
    let sent = checked(client.broadcast_tx_sync(raw.clone()).await, |answer| answer.code.is_ok());
    table.row("broadcast_tx_sync", sent, |answer| answer.hash.to_string());
    table.row("event (Tx)", checked(next(&mut txs).await, |event| matches!(event, EventData::Tx { tx_result } if tx_result.tx == raw)), |event| match event {
        EventData::Tx { tx_result } => format!("height {}, {} events", tx_result.height, tx_result.result.events.len()),
        _ => String::new(),
    });
    table.row("event (NewBlock)", checked(next(&mut new_blocks).await, |event| matches!(event, EventData::NewBlock { block: Some(_), result_finalize_block: Some(_), .. })), |event| match event {
        EventData::NewBlock { block: Some(block), .. } => format!("height {}", block.header.height),
        _ => String::new(),
    });
    table.row("unsubscribe (Tx)", client.unsubscribe(payments).await.map_err(Into::into), |()| String::new());
    table.row("unsubscribe (NewBlock)", client.unsubscribe(blocks).await.map_err(Into::into), |()| String::new());
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let file = std::env::args().nth(1).ok_or("usage: txledger-rust-check FILE")?;
    let task: Task = serde_json::from_slice(&std::fs::read(file)?)?;
    let [http_transfers, websocket_transfers, [watched]] = [&task.transfers[0..3], &task.transfers[3..6], &task.transfers[6..7]] else { panic!("seven transfers") };

    let mut table = Table { transport: "http", failed: 0 };
    let client = HttpClient::new(task.http.as_str())?;
    reads(&client, &task, &mut table).await;
    broadcasts(&client, http_transfers, &mut table).await;

    table.transport = "websocket";
    let (client, driver) = WebSocketClient::new(task.websocket.as_str()).await?;
    let driven = tokio::spawn(driver.run());
    reads(&client, &task, &mut table).await;
    broadcasts(&client, websocket_transfers, &mut table).await;
    subscriptions(&client, watched, &mut table).await;
    table.row("close", client.close().map_err(Into::into), |()| String::new());
    table.row("driver", driven.await?.map_err(Into::into), |()| "ended without a fault".into());

    if table.failed > 0 { Err(format!("{} methods failed", table.failed).into()) } else { Ok(()) }
}
