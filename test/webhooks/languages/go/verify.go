// Verifies messages of this service with the Go library of Standard Webhooks: one JSON object a line on standard input,
// {"secret", "headers": {...}, "body"}. Prints how many were verified, and how many it refused once a byte was changed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type message struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	verified, refused := 0, 0
	for lines.Scan() {
		var m message
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			panic(err)
		}
		webhook, err := webhooks.NewWebhook(m.Secret)
		if err != nil {
			panic(err)
		}
		headers := http.Header{}
		for name, value := range m.Headers {
			headers.Set(name, value)
		}
		if err := webhook.Verify([]byte(m.Body), headers); err != nil {
			panic(err)
		}
		verified++
		if webhook.Verify([]byte(m.Body+" "), headers) != nil {
			refused++
		}
	}
	fmt.Printf("verified %d, refused %d changed\n", verified, refused)
}
