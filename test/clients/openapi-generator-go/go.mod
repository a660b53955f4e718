module transaction-ledger/test/clients/go

go 1.24
