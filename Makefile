# One target for each thing that is done to the whole project; every module found below joins by itself.
# CI runs the same targets: .ci/run.

GOLANGCI_LINT_VERSION := v2.15.0
GOVULNCHECK_VERSION   := v1.9.0
FUZZTIME              ?= 20s

# Tools are built once into an ignored folder, at pinned versions; they are no dependencies of any module.
golangci_lint := .tools/golangci-lint-$(GOLANGCI_LINT_VERSION)/golangci-lint
govulncheck   := .tools/govulncheck-$(GOVULNCHECK_VERSION)/govulncheck

modules := $(sort $(patsubst %/go.mod,%,$(shell find . -name '.?*' ! -name .ci -prune -o -name testdata -prune -o -name go.mod -print)))

# The race detector needs cgo, and go switches that off where it finds no C compiler.
RACE ?= $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)

# The go command does not look into folders that begin with a dot.
root_packages := ./... ./.ci/api ./.ci/release ./.ci/rename

# $(call each,COMMAND) runs COMMAND in each module's folder and goes on after a failure, so that all of them show.
define each
@failed=; top=$$PWD; for module in $(modules); do \
	packages=./...; if [ $$module = . ]; then packages='$(root_packages)'; fi; \
	(cd $$module && { $(1); }) || failed="$$failed $$module"; \
done; if [ -n "$$failed" ]; then echo "make $@: failed in module(s):$$failed" >&2; exit 1; fi
endef

# generated_files prints everything that make generate writes.
generated_files = find . -name '.?*' -prune -o -name testdata -prune -o \( -name '*.gen.go' -o -name OPERATIONS.md \) -print

# The go command uses all cores by itself, and a check must not read files that generate is writing.
.NOTPARALLEL:
.PHONY: help demo test check generate golden public-specs api spec-diff lint fuzz bench vuln release rename rename-test tools clean \
	check-generated check-api check-schema check-tidy check-format check-vet check-fix

help: ## list the targets (the default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## show the typed clients living through throttles, bans, outages and lost answers
	@cd examples && go run ./demo

test: ## run the tests of all modules, with the race detector where there is a C compiler
	@$(if $(RACE),:,echo "make test: no C compiler found: testing without the race detector (install gcc to have it)" >&2)
	$(call each,go test $(RACE) $$packages)

check: check-generated check-api check-schema check-tidy check-format check-vet check-fix lint test ## all that a change must pass: generated code, formatting, vet, lint, API listing, tests

generate: ## rewrite the generated code from specs/
	@go -C gen run . -spec ../specs/weibo.yaml -package weibo -out ../weibo
	@go -C gen run . -spec ../specs/wechat.yaml -package wechat -out ../wechat
	@go -C gen run . -spec ../specs/wecom.yaml -package wecom -out ../wechat/wecom
	@go -C gen run . -spec ../specs/alibaba1688.yaml -package alibaba1688 -out ../alibaba1688

golden: ## rewrite what the generator's test cases must give: read the diff
	@go -C gen test -count=1 -run '^TestGolden' . -update

public-specs: ## generate from public specs of the Go module proxy, and compile
	@go -C gen test -tags publicspecs -run TestPublicSpecs -count=1 -timeout 15m .

api: ## rewrite api.txt, the listing of the exported API
	@new=$$(mktemp) && trap 'rm -f "$$new"' EXIT && go run ./.ci/api >"$$new" && cat "$$new" >api.txt

# make ends with 2 after any failure, and says Error 3 or Error 1; bin/specdiff itself ends with them.
spec-diff: ## show what changed for users since BASE, policies first: make spec-diff BASE=v0.1.0; Error 3 is a breaking change
	@$(MAKE) --no-print-directory generate >&2 && go -C .ci/specdiff build -o "$(CURDIR)/bin/specdiff" . && bin/specdiff -base "$(BASE)"

lint: $(golangci_lint) ## run golangci-lint over all modules
	$(call each,"$$top/$(golangci_lint)" run --allow-parallel-runners $$packages)

fuzz: ## run each fuzz target for FUZZTIME (20s)
	$(call each,targets=$$(go test -list '^Fuzz' $$packages) || exit 1; \
		echo "$$targets" | awk '/^Fuzz/ { names[++n] = $$1 } /^ok/ { for (i = 1; i <= n; i++) print $$2 " " names[i]; n = 0 }' | \
		while read -r package name; do \
			echo "$$package $$name"; go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "$$package" || exit 1; \
		done)

bench: ## run the benchmarks
	$(call each,go test -run '^$$' -bench . -benchmem $$packages)

vuln: $(govulncheck) ## look for known vulnerabilities (asks an online database)
	$(call each,"$$top/$(govulncheck)" $$packages)

release: ## say how VERSION would be made; with DO=1 check, set the version, commit and tag: make release VERSION=v0.2.0
	@go run ./.ci/release -version "$(VERSION)" $(if $(filter 1,$(DO)),-do)

rename: ## give the project another module path: make rename MODULE=example.com/x/dujiang
	@go run ./.ci/rename -module "$(MODULE)"

rename-test: ## give a copy of the project another module path, and check the copy
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && \
	tar -cf - --exclude=./.git --exclude=./.tools --exclude=./bin . | tar -xf - -C "$$copy" && \
	if [ -d .tools ]; then ln -s "$(CURDIR)/.tools" "$$copy/.tools"; fi && \
	cd "$$copy" && $(MAKE) --no-print-directory rename MODULE=example.com/x/dujiang && $(MAKE) --no-print-directory check

tools: $(golangci_lint) $(govulncheck) ## build the tools that check and vuln need

clean: ## remove what make has built here
	rm -rf .tools bin

# The parts of check. Comparing with what was there before, and not with what is committed, allows a check before the commit.

check-generated:
	@both=$$(mktemp -d) && trap 'rm -rf "$$both"' EXIT && mkdir "$$both/before" "$$both/after" && \
	copy() { $(generated_files) | tar -cf - -T - | tar -xf - -C "$$both/$$1"; } && \
	copy before && $(MAKE) --no-print-directory generate && copy after || exit 1; \
	if ! (cd "$$both" && diff -ruN before after); then \
		echo "make check: make generate changed the files above: review the changes, then check again" >&2; exit 1; \
	fi

check-api:
	@go run ./.ci/api | diff -u api.txt - || { echo "make check: the exported API is not what api.txt says: run make api" >&2; exit 1; }

# The go command keeps a test's result though a file outside the test's module has changed: this one never.
check-schema:
	@go -C gen test -count=1 -run EditorSchema ./internal/spec

check-format:
	@files=$$(find . -name '.?*' ! -name .ci -prune -o -name testdata -prune -o -name '*.go' -print | xargs gofmt -l); \
	if [ -n "$$files" ]; then echo "make check: not formatted, run gofmt -w on:" >&2; echo "$$files" >&2; exit 1; fi

check-tidy:
	$(call each,go mod tidy -diff)

check-vet:
	$(call each,go vet $$packages)

check-fix:
	$(call each,go fix -diff $$packages)

$(golangci_lint):
	@echo "building golangci-lint $(GOLANGCI_LINT_VERSION), once: this takes some minutes"
	@GOBIN="$(CURDIR)/$(@D)" go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)

$(govulncheck):
	@GOBIN="$(CURDIR)/$(@D)" go install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)
