# Every target is a command, never a file: folders named test/, generated/ or docs/ must not hide one.
.PHONY: help install generate check-generated lint-spec breaking lint format typecheck build test test-fast ci serve docs-viewer clean
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
BASE ?= HEAD
MOCHA := mocha --exit

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

# npm ci whenever the lock file differs from the one that was installed; time stamps lie, contents do not.
install: ## install the exact dependencies
	@cmp -s package-lock.json node_modules/.installed-lock || { npm ci --no-audit --no-fund && cp package-lock.json node_modules/.installed-lock; }

typecheck: install ## type-check everything
	@tsc --noEmit -p tsconfig.json

lint: install ## eslint, prettier, architecture rules
	@eslint .
	@prettier --check --log-level warn .
	@depcruise --config .dependency-cruiser.cjs --log-level error src generated codegen

format: install ## format every file
	@prettier --write --log-level warn .

build: install ## compile to dist/
	@tsc -p tsconfig.build.json

test: install ## all tests
	@$(MOCHA) 'test/**/*.test.ts'

clean: ## remove what was built (the data in .dbr/ stays)
	@rm -rf dist coverage test-artefacts
