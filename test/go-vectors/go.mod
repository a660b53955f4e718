module transaction-ledger/test/go-vectors

go 1.22
