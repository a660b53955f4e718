# frozen_string_literal: true

# What a partner in Ruby does with the client that openapi-generator makes: read, pay, find the payment, take one back, be told what was wrong.
require 'json'
require 'uri'
require 'ledger'
require_relative 'signer'

AMOUNT = '250'
# How far ahead of the account's nonce the transfer is that gets cancelled: it can only wait.
NONCES_AHEAD = 500

def step(name)
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  result = yield
  puts format('  %<name>s (%<seconds>.3f s)', name: name, seconds: Process.clock_gettime(Process::CLOCK_MONOTONIC) - started)
  result
end

def expect(what, actual, expected)
  raise "#{what}: expected #{expected.inspect}, got #{actual.inspect}" unless actual == expected
end

def client(base_url, token = nil)
  configuration = Ledger::Configuration.new
  url = URI(base_url)
  configuration.scheme = url.scheme
  configuration.host = "#{url.host}:#{url.port}"
  configuration.base_path = url.path
  configuration.server_index = nil
  configuration.access_token = token
  Ledger::ApiClient.new(configuration)
end

dev = JSON.parse(File.read(ARGV[0]))
sender, receiver = dev['accounts']
# What every status, code and event is, where answers are those of a later version.
word = ->(now) { dev['later'] || now }
partner = client(dev['baseUrl'], dev['token'])
accounts = Ledger::AccountsApi.new(partner)
transactions = Ledger::TransactionsApi.new(partner)

submit = lambda do |transfer, **options|
  signature, = transfer.sign(sender['seed'])
  body = Ledger::TransactionInput.new(
    from: transfer.from, to: transfer.to, amount: transfer.amount, nonce: transfer.nonce, signature: signature
  )
  transactions.submit_transaction_with_http_info(body, options)
end

chain_id, nonce = step('read chain, without a token, and account') do
  chain = Ledger::ChainApi.new(client(dev['baseUrl'])).get_chain
  expect('chain', chain.chain_id, dev['chainId'])
  [chain.chain_id, accounts.get_account(sender['address']).next_nonce]
end
transfer_at = ->(at, amount = AMOUNT) { Transfer.new(chain_id, sender['address'], receiver['address'], amount, at) }

first, = step('pay twice, and wait until each is committed') do
  [nonce, nonce + 1].map do |at|
    paid, status, = submit.call(transfer_at.call(at), prefer: 'wait=30')
    expect('answer', [status, paid.status], [201, word.call('committed')])
    expect('hash', paid.tx_hash, transfer_at.call(at).sign(sender['seed'])[1])
    paid.tx_hash
  end
end

step('read the transaction with its history') do
  found = transactions.get_transaction(first)
  expect('transaction', [found.tx_hash, found.status, found.history.last.event], [first, word.call('committed'), word.call('committed')])
  expect('has a height', found.height.positive?, true)
  expect('has a time', found.block_time.is_a?(Time), true)
end

step('list by cursor until the first is seen') do
  pages = 0
  cursor = nil
  loop do
    page = transactions.list_transactions({ from: sender['address'], limit: 1, cursor: cursor }.compact)
    pages += 1
    break if page.transactions.map(&:tx_hash).include?(first)

    cursor = page.next_cursor or raise "#{first} is on no page"
  end
  expect('more than one page', pages > 1, true)
end

step("submit #{NONCES_AHEAD} nonces ahead, and cancel it") do
  pending, status, = submit.call(transfer_at.call(nonce + 2 + NONCES_AHEAD))
  expect('answer', [status, pending.status, pending.height], [202, word.call('pending'), nil])
  cancelled, status, = transactions.cancel_transaction_with_http_info(pending.tx_hash, prefer: 'wait=30')
  expect('answer', [status, cancelled.status], [200, word.call('cancelled')])
  expect('last event', transactions.get_transaction(pending.tx_hash).history.last.event, word.call('cancelled'))
end

step('another payment at a nonce in use is a typed problem that names the first') do
  submit.call(transfer_at.call(nonce, '251'))
  raise 'the payment was taken'
rescue Ledger::ApiError => e
  # The client leaves the body of an error as text; the model reads it.
  problem = Ledger::Problem.build_from_hash(JSON.parse(e.response_body, symbolize_names: true))
  expect('problem', [e.code, problem.code, problem.retriable, problem.tx_hash], [409, word.call('nonce_conflict'), false, first])
end
