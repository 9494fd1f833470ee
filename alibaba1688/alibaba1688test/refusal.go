package alibaba1688test

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// A shape is how a call of the platform says that it refuses, inside a 200.
type shape uint8

const (
	successErrorMessage shape = iota // success, errorCode, errorMessage
	successErrorMsg                  // success, errorCode, errorMsg
	successCodeMessage               // success, code, message
	errorOnly                        // errorCode, errorMessage
	doubleWrapper                    // result: success, code, message
)

// refuse answers in the shape. Some calls write success as a text.
func (op *operation) refuse(code, text string) resiliencetest.Answer {
	var success any = false
	if op.textSuccess {
		success = "false"
	}
	var body map[string]any
	switch op.shape {
	case successErrorMsg:
		body = map[string]any{"success": success, "errorCode": code, "errorMsg": text}
	case successCodeMessage:
		body = map[string]any{"success": success, "code": code, "message": text}
	case errorOnly:
		body = map[string]any{"errorCode": code, "errorMessage": text}
	case doubleWrapper:
		body = map[string]any{"result": map[string]any{"success": success, "code": code, "message": text}}
	default:
		body = map[string]any{"success": success, "errorCode": code, "errorMessage": text}
	}
	answer := resiliencetest.JSON(http.StatusOK, body)
	answer.Code = code
	return answer
}

// gateway answers in the gateway's own form.
func (s *Server) gateway(code, text string) resiliencetest.Answer {
	s.requests++
	answer := resiliencetest.JSON(http.StatusBadRequest, map[string]any{
		"error_code": code, "error_message": text, "exception": "", "request_id": fmt.Sprintf("made-up-request-%06d", s.requests),
	})
	answer.Code = code
	return answer
}

func (s *Server) unauthorized(c *resiliencetest.Call) resiliencetest.Answer {
	return s.gateway("401", "Request need user authorized, path: "+c.Path)
}

// refusal puts a fault's code and text into the form that the platform has for them.
func (s *Server) refusal(c *resiliencetest.Call, code, text string) resiliencetest.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text == "" {
		text = message(code)
	}
	if op := operationAt(c.Path); op != nil && !isGateway(code) {
		if op.open {
			return refuseOAuth(code, text)
		}
		return op.refuse(code, text)
	}
	return s.gateway(code, text)
}

func isGateway(code string) bool {
	switch code {
	case "401", "403", "404", "405":
		return true
	}
	return strings.HasPrefix(code, "gw.")
}

func message(code string) string {
	switch code {
	case "401":
		return "Request need user authorized"
	case "gw.APIACLDecline":
		return "AppKey is not allowed(acl)"
	case codeFrequency:
		return "App call exceeds limited frequency"
	case "gw.NoUsageLeftError":
		return "SLA bill has no usage left"
	default:
		return "made-up text of " + code
	}
}
