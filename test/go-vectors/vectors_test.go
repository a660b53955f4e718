// Package vectors decides the published test vectors once more in Go, with nothing but the standard library.
//
// It reads what a partner's signer needs: addresses, signatures, canonical bytes, and the tree. Run it with `go test ./...` in this folder;
// it downloads nothing.
package vectors

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func load(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "spec", "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func unhex(text string) []byte {
	data, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

// ---- addresses: bech32m, BIP 350

const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

var addressPattern = regexp.MustCompile(`^txlt?1[02-9ac-hj-np-z]{58}$`)

func polymod(prefix string, words []byte) uint32 {
	values := []byte{}
	for _, c := range []byte(prefix) {
		values = append(values, c>>5)
	}
	values = append(values, 0)
	for _, c := range []byte(prefix) {
		values = append(values, c&31)
	}
	checksum := uint32(1)
	for _, value := range append(values, words...) {
		top := checksum >> 25
		checksum = checksum&0x1ffffff<<5 ^ uint32(value)
		for i, generator := range []uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			if top>>i&1 == 1 {
				checksum ^= generator
			}
		}
	}
	return checksum
}

// parseAddress gives the key, or the reason why there is none.
func parseAddress(address, prefix string) (key []byte, reason string) {
	if !addressPattern.MatchString(address) {
		return nil, "format"
	}
	found, data, _ := strings.Cut(address, "1")
	words := []byte{}
	for _, c := range data {
		words = append(words, byte(strings.IndexRune(alphabet, c)))
	}
	switch polymod(found, words) {
	case 0x2bc830a3:
	case 1:
		return nil, "not_bech32m"
	default:
		return nil, "checksum"
	}
	if found != prefix {
		return nil, "wrong_network"
	}
	bits := new(big.Int)
	for _, word := range words[:52] {
		bits.Lsh(bits, 5).Or(bits, big.NewInt(int64(word)))
	}
	if new(big.Int).And(bits, big.NewInt(15)).Sign() != 0 {
		return nil, "format"
	}
	key = bits.Rsh(bits, 4).FillBytes(make([]byte, 32))
	if !strictKey(key) {
		return nil, "weak_key"
	}
	return key, ""
}

// ---- STRICT Ed25519

func number(text string) *big.Int {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		panic(text)
	}
	return n
}

var (
	fieldPrime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	orderEight = number("2707385501144840649318225287225658788936804267575313519463743609750303402022")
	smallOrder = []*big.Int{
		big.NewInt(0), big.NewInt(1), new(big.Int).Sub(fieldPrime, big.NewInt(1)), orderEight, new(big.Int).Sub(fieldPrime, orderEight),
	}
)

func yOf(point []byte) *big.Int {
	reversed := slices.Clone(point)
	reversed[31] &= 0x7f
	slices.Reverse(reversed)
	return new(big.Int).SetBytes(reversed)
}

func isSmall(y *big.Int) bool {
	return slices.ContainsFunc(smallOrder, func(small *big.Int) bool { return small.Cmp(new(big.Int).Mod(y, fieldPrime)) == 0 })
}

func strictKey(key []byte) bool {
	return len(key) == 32 && yOf(key).Cmp(fieldPrime) < 0 && !isSmall(yOf(key))
}

// verify leaves S < L to the standard library, which has always required it.
func verify(key, message, signature []byte) bool {
	return len(signature) == 64 && strictKey(key) && !isSmall(yOf(signature[:32])) && ed25519.Verify(key, message, signature)
}

// ---- canonical bytes

type transaction struct {
	Amount    *string     `json:"amount"`
	ChainID   string      `json:"chainId"`
	From      string      `json:"from"`
	Nonce     json.Number `json:"nonce"`
	Signature string      `json:"signature"`
	To        string      `json:"to"`
	Reference *string     `json:"reference"`
	// Nil when absent; the number as it was written.
	ValidUntil *json.Number `json:"validUntil"`
	Signer     string       `json:"signer"`
	TxHash     *string      `json:"txHash"`
	Kind       *string      `json:"kind"`
	Power      json.Number  `json:"power"`
	Sequence   json.Number  `json:"sequence"`
	Subject    string       `json:"subject"`
	Signatures []signed     `json:"signatures"`
}

// One of the signatures of a governance transaction.
type signed struct {
	Signature string `json:"signature"`
	Signer    string `json:"signer"`
}

var (
	integerPattern    = regexp.MustCompile(`^(0|[1-9][0-9]{0,15})$`)
	amountPattern     = regexp.MustCompile(`^[1-9][0-9]{0,38}$`)
	referencePattern  = regexp.MustCompile(`^[!#-\[\]-~]([ !#-\[\]-~]{0,138}[!#-\[\]-~])?$`)
	validUntilPattern = regexp.MustCompile(`^[1-9][0-9]{0,11}$`)
	chainIDPattern    = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$`)
	signaturePattern  = regexp.MustCompile(`^[0-9a-f]{128}$`)
	txHashPattern     = regexp.MustCompile(`^[0-9A-F]{64}$`)
	keyPattern        = regexp.MustCompile(`^[0-9a-f]{64}$`)
	versionPattern    = regexp.MustCompile(`^[1-9][0-9]{0,5}$`)
	emptyPattern      = regexp.MustCompile(`^$`)
	// What a governance transaction of each kind is about.
	subjects = map[string]*regexp.Regexp{
		"canceller_add": addressPattern, "canceller_remove": addressPattern, "governor_add": addressPattern, "governor_remove": addressPattern,
		"threshold": emptyPattern, "validator_power": keyPattern, "rules_version": versionPattern,
	}
)

func integer(n json.Number) bool {
	return integerPattern.MatchString(n.String()) && number(n.String()).Cmp(big.NewInt(1<<53)) < 0
}

// decode gives the kind and what is signed; ok is false for bytes that are not canonical.
func decode(raw []byte) (tx transaction, kind, message string, ok bool) {
	most := 1024
	if bytes.HasPrefix(raw, []byte(`{"chainId":`)) {
		most = 4096
	}
	if len(raw) > most || json.Unmarshal(raw, &tx) != nil {
		return tx, "", "", false
	}
	chain := chainIDPattern.MatchString(tx.ChainID)
	common := chain && signaturePattern.MatchString(tx.Signature)
	signatures := fmt.Sprintf(`"signature":"%s",`, tx.Signature)
	version := 1
	var head, tail string
	switch {
	case tx.Amount != nil:
		kind = "transfer"
		ok = common && amountPattern.MatchString(*tx.Amount) && number(*tx.Amount).BitLen() <= 128 && integer(tx.Nonce) &&
			addressPattern.MatchString(tx.From) && addressPattern.MatchString(tx.To)
		head = fmt.Sprintf(`{"amount":"%s","chainId":"%s","from":"%s","nonce":%s,`, *tx.Amount, tx.ChainID, tx.From, tx.Nonce)
		tail = fmt.Sprintf(`"to":"%s"`, tx.To)
		if tx.Reference != nil {
			ok = ok && referencePattern.MatchString(*tx.Reference)
			head += fmt.Sprintf(`"reference":"%s",`, *tx.Reference)
		}
		if tx.ValidUntil != nil {
			ok = ok && validUntilPattern.MatchString(tx.ValidUntil.String()) && number(tx.ValidUntil.String()).Cmp(big.NewInt(253402300799)) <= 0
			tail += fmt.Sprintf(`,"validUntil":%s`, *tx.ValidUntil)
		}
		tail += "}"
	case tx.TxHash != nil:
		kind = "cancel"
		ok = common && integer(tx.Nonce) && addressPattern.MatchString(tx.From) && addressPattern.MatchString(tx.Signer) && txHashPattern.MatchString(*tx.TxHash)
		head = fmt.Sprintf(`{"chainId":"%s","from":"%s","nonce":%s,`, tx.ChainID, tx.From, tx.Nonce)
		tail = fmt.Sprintf(`"signer":"%s","txHash":"%s"}`, tx.Signer, *tx.TxHash)
	case tx.Kind != nil:
		kind, version = "governance", 2
		subject, known := subjects[*tx.Kind]
		ok = chain && known && integer(tx.Power) && integer(tx.Sequence) && powerFits(*tx.Kind, tx.Power) && subject.MatchString(tx.Subject) && sorted(tx.Signatures)
		head = fmt.Sprintf(`{"chainId":"%s","kind":"%s","power":%s,"sequence":%s,`, tx.ChainID, *tx.Kind, tx.Power, tx.Sequence)
		tail = fmt.Sprintf(`"subject":"%s"}`, tx.Subject)
		texts := []string{}
		for _, each := range tx.Signatures {
			texts = append(texts, fmt.Sprintf(`{"signature":"%s","signer":"%s"}`, each.Signature, each.Signer))
		}
		signatures = `"signatures":[` + strings.Join(texts, ",") + `],`
	default:
		return tx, "", "", false
	}
	return tx, kind, fmt.Sprintf("txledger-%s-v%d\n%s", kind, version, head+tail), ok && head+signatures+tail == string(raw)
}

// powerFits says whether the number of a governance transaction is one of its kind.
func powerFits(kind string, power json.Number) bool {
	if !integer(power) {
		return false
	}
	n := number(power.String())
	switch kind {
	case "threshold":
		return n.Sign() > 0 && n.Cmp(big.NewInt(16)) <= 0
	case "validator_power":
		return true
	case "rules_version":
		return n.Sign() > 0
	}
	return n.Sign() == 0
}

// sorted says whether there are 1 to 16 signatures, sorted by signer, no signer twice.
func sorted(signatures []signed) bool {
	if len(signatures) < 1 || len(signatures) > 16 {
		return false
	}
	for i, each := range signatures {
		if !signaturePattern.MatchString(each.Signature) || !addressPattern.MatchString(each.Signer) || (i > 0 && signatures[i-1].Signer >= each.Signer) {
			return false
		}
	}
	return true
}

// signersOf gives every signature that must verify, with the address whose key made it.
func signersOf(tx transaction, kind string) []signed {
	switch kind {
	case "transfer":
		return []signed{{tx.Signature, tx.From}}
	case "cancel":
		return []signed{{tx.Signature, tx.Signer}}
	}
	return tx.Signatures
}

// check names the refusal of raw bytes on a chain; empty when there is none.
func check(raw []byte, chainID, prefix string) string {
	tx, kind, message, ok := decode(raw)
	if !ok {
		return "malformed"
	}
	if tx.ChainID != chainID {
		return "wrong_chain"
	}
	addresses := []string{tx.Signer, tx.From, tx.To}
	for _, each := range tx.Signatures {
		addresses = append(addresses, each.Signer)
	}
	if kind == "governance" && subjects[*tx.Kind] == addressPattern {
		addresses = append(addresses, tx.Subject)
	}
	for _, address := range addresses {
		if address == "" {
			continue
		}
		if _, reason := parseAddress(address, prefix); reason != "" {
			return "invalid_address"
		}
	}
	if kind == "governance" && *tx.Kind == "validator_power" && !strictKey(unhex(tx.Subject)) {
		return "governance_subject"
	}
	for _, each := range signersOf(tx, kind) {
		key, _ := parseAddress(each.Signer, prefix)
		if !verify(key, []byte(message), unhex(each.Signature)) {
			return "invalid_signature"
		}
	}
	return ""
}

func hashOf(raw []byte) string { return fmt.Sprintf("%X", sha256.Sum256(raw)) }

// ---- tests

func TestAddresses(t *testing.T) {
	var vectors struct {
		Valid   []struct{ Name, Prefix, PublicKey, Address string }
		Refused []struct{ Name, Prefix, Address, Reason string }
	}
	load(t, "addresses.json", &vectors)
	if len(vectors.Valid) == 0 || len(vectors.Refused) == 0 {
		t.Fatal("no cases")
	}
	for _, v := range vectors.Valid {
		if key, _ := parseAddress(v.Address, v.Prefix); !bytes.Equal(key, unhex(v.PublicKey)) {
			t.Errorf("%s: %x", v.Name, key)
		}
	}
	for _, v := range vectors.Refused {
		if _, reason := parseAddress(v.Address, v.Prefix); reason != v.Reason {
			t.Errorf("%s: %q, expected %q", v.Name, reason, v.Reason)
		}
	}
}

func TestEd25519(t *testing.T) {
	var cases []struct {
		Name, PublicKey, Message, Signature string
		Accepted                            bool
	}
	load(t, "ed25519.json", &cases)
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, v := range cases {
		if verify(unhex(v.PublicKey), unhex(v.Message), unhex(v.Signature)) != v.Accepted {
			t.Errorf("%s: expected %v", v.Name, v.Accepted)
		}
	}
}

func TestSpeccheck(t *testing.T) {
	var cases []struct {
		Message, Signature string
		Key                string `json:"pub_key"`
	}
	load(t, "ed25519-speccheck.json", &cases)
	for i, v := range cases {
		if verify(unhex(v.Key), unhex(v.Message), unhex(v.Signature)) != (i == 3) {
			t.Errorf("case %d", i)
		}
	}
	if len(cases) != 12 {
		t.Errorf("%d cases", len(cases))
	}
}

func TestTransactions(t *testing.T) {
	var vectors struct {
		Chain struct{ ChainID, AddressPrefix string }
		Valid []struct {
			Name, Kind, Seed, SignBytes, Raw, TxHash string
			Seeds                                    []string
		}

		Refused []struct{ Name, Raw, RawHex, Refusal string }
	}
	load(t, "transactions.json", &vectors)
	if len(vectors.Valid) == 0 || len(vectors.Refused) == 0 {
		t.Fatal("no cases")
	}
	for _, v := range vectors.Valid {
		raw := []byte(v.Raw)
		if refusal := check(raw, vectors.Chain.ChainID, vectors.Chain.AddressPrefix); refusal != "" {
			t.Errorf("%s: %s", v.Name, refusal)
		}
		tx, kind, message, _ := decode(raw)
		seeds := v.Seeds
		if v.Seed != "" {
			seeds = []string{v.Seed}
		}
		made, found := []string{}, []string{}
		for _, seed := range seeds {
			made = append(made, hex.EncodeToString(ed25519.Sign(ed25519.NewKeyFromSeed(unhex(seed)), []byte(message))))
		}
		for _, each := range signersOf(tx, kind) {
			found = append(found, each.Signature)
		}
		if kind != v.Kind || message != v.SignBytes || !slices.Equal(made, found) || hashOf(raw) != v.TxHash {
			t.Errorf("%s: kind %s, signed %q, signatures %s, hash %s", v.Name, kind, message, made, hashOf(raw))
		}
	}
	for _, v := range vectors.Refused {
		raw := []byte(v.Raw)
		if v.RawHex != "" {
			raw = unhex(v.RawHex)
		}
		if refusal := check(raw, vectors.Chain.ChainID, vectors.Chain.AddressPrefix); refusal != v.Refusal {
			t.Errorf("%s: %q, expected %q", v.Name, refusal, v.Refusal)
		}
	}
}

func TestSigning(t *testing.T) {
	var cases []struct {
		Name, Seed, ChainID, SignBytes, Raw, TxHash, CancelBySender string
		Request                                                     struct{ From, Signature string }
	}
	load(t, "signing-vectors.json", &cases)
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, v := range cases {
		prefix, _, _ := strings.Cut(v.Request.From, "1")
		_, _, signed, _ := decode([]byte(v.Raw))
		made := hex.EncodeToString(ed25519.Sign(ed25519.NewKeyFromSeed(unhex(v.Seed)), []byte(signed)))
		if signed != v.SignBytes || made != v.Request.Signature || hashOf([]byte(v.Raw)) != v.TxHash {
			t.Errorf("%s: signed %q", v.Name, signed)
		}
		if check([]byte(v.Raw), v.ChainID, prefix) != "" || check([]byte(v.CancelBySender), v.ChainID, prefix) != "" {
			t.Errorf("%s is refused", v.Name)
		}
	}
}

func leaf(data []byte) []byte {
	sum := sha256.Sum256(append([]byte{0}, data...))
	return sum[:]
}

func inner(left, right []byte) []byte {
	sum := sha256.Sum256(slices.Concat([]byte{1}, left, right))
	return sum[:]
}

func split(n int) int {
	k := 1
	for 2*k < n {
		k *= 2
	}
	return k
}

func root(leaves [][]byte) []byte {
	switch n := len(leaves); n {
	case 0:
		sum := sha256.Sum256(nil)
		return sum[:]
	case 1:
		return leaves[0]
	default:
		return inner(root(leaves[:split(n)]), root(leaves[split(n):]))
	}
}

func rootFrom(index, total int, node []byte, aunts []string) []byte {
	if total == 1 || len(aunts) == 0 {
		return node
	}
	k, last := split(total), len(aunts)-1
	if index < k {
		return inner(rootFrom(index, k, node, aunts[:last]), unhex(aunts[last]))
	}
	return inner(unhex(aunts[last]), rootFrom(index-k, total-k, node, aunts[:last]))
}

func TestTree(t *testing.T) {
	var vectors struct {
		Trees []struct {
			Size   int
			Root   string
			Proofs []struct {
				Index int
				Aunts []string
			}
			Rewritten string `json:"rootAfterEveryThirdIsRewritten"`
		}
	}
	load(t, "tree.json", &vectors)
	if len(vectors.Trees) == 0 {
		t.Fatal("no cases")
	}
	for _, v := range vectors.Trees {
		leaves := make([][]byte, v.Size)
		for i := range leaves {
			leaves[i] = leaf([]byte(fmt.Sprintf("leaf %d version 0", i)))
		}
		if got := hex.EncodeToString(root(leaves)); got != v.Root {
			t.Errorf("root of %d: %s", v.Size, got)
		}
		for _, proof := range v.Proofs {
			if got := hex.EncodeToString(rootFrom(proof.Index, v.Size, leaves[proof.Index], proof.Aunts)); got != v.Root {
				t.Errorf("proof %d of %d: %s", proof.Index, v.Size, got)
			}
		}
		for i := 0; i < v.Size; i += 3 {
			leaves[i] = leaf([]byte(fmt.Sprintf("leaf %d version 1", i)))
		}
		if got := hex.EncodeToString(root(leaves)); got != v.Rewritten {
			t.Errorf("rewritten root of %d: %s", v.Size, got)
		}
	}
}
