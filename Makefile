# The one door to this repository: each target is a thin call; what is longer lives in scripts/.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help start test test-kubernetes test-openstack openstack-roots openstack-images openstack-packages kubernetes-programs kubernetes kubernetes-node check bench generate build clean node-is-there

# npm writes this file at the end of an install: it is as old as the install.
installed := node_modules/.package-lock.json
sources := $(shell find src -name '*.ts' ! -name '*.test.ts' 2>/dev/null)

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r target text; do printf '  make %-20s %s\n' "$$target" "$$text"; done

start: dist/main.js ## Run the example cloud here, and change it under load (about 90 seconds)
	@node --import tsx scripts/start/walk.ts

test: $(installed) ## Run the tests
	@npx vitest run
	@npx tsx scripts/suites.ts

test-kubernetes: $(installed) ## Run the tests that need a real Kubernetes (built once, about 12 minutes; then about 30); project=api or node runs a part
	@npx vitest run --config scripts/kubernetes/vitest.config.ts $(if $(project),--project $(project))

test-openstack: dist/main.js ## Run the tests that need real parts of a cloud (Debian's MariaDB, HAProxy and the like)
	@npx vitest run --config scripts/openstack/vitest.config.ts

openstack-roots: $(installed) ## Build the Debian systems that real services run in, once, into a cache outside the tree (as root)
	@npx tsx scripts/openstack/build-roots.ts

openstack-images: $(installed) ## Make images for a cluster of those systems, into that cache
	@npx tsx scripts/openstack/build-images.ts

openstack-packages: dist/main.js ## Compose the packages of real services into that cache, or into to=<folder>; router=haproxy for those behind one
	@npx tsx scripts/openstack/build-packages.ts "$(to)" "$(router)"

kubernetes-programs: $(installed) ## Build all that those tests run, once, into a cache outside the tree
	@npx tsx scripts/kubernetes/build-programs.ts

kubernetes: $(installed) ## Run the example cloud in a Kubernetes of one node, until Ctrl-C (as root)
	@node --import tsx scripts/kubernetes/run-example-cloud.ts

kubernetes-api: $(installed) ## Run an API server with its controllers and nothing else, until Ctrl-C
	@npx tsx scripts/kubernetes/run-control-plane.ts

kubernetes-node: $(installed) ## Run a bare Kubernetes of one node, until Ctrl-C (as root)
	@npx tsx scripts/kubernetes/run-node.ts

helm: $(installed) ## Put Helm where Afloat finds it, for who has none and uses charts (about a minute)
	@npx tsx scripts/put-helm.ts

check: $(installed) ## Types, lint and generated files
	@npx tsx scripts/check.ts

bench: $(installed) ## Measure; only=<name> picks one, size=full writes docs/benchmarks.md
	@npx tsx scripts/bench.ts only=$(only) size=$(size)

generate: $(installed) ## Write deploy and docs/reference from their sources
	@npx tsx scripts/generate.ts

build: dist/main.js ## Bundle the program into dist/

clean: ## Remove what was built
	@rm -rf dist coverage

dist/main.js: $(sources) scripts/build.ts package.json $(installed)
	@npx tsx scripts/build.ts

$(installed): package-lock.json | node-is-there
	@npm ci
	@touch $@

node-is-there:
	@command -v node >/dev/null || { echo 'Node.js is missing: install version 20.19 or newer.' >&2; exit 1; }
	@node -e 'var v = process.versions.node.split(".").map(Number); if (v[0] < 20 || (v[0] === 20 && v[1] < 19)) { console.error("Node.js " + process.versions.node + " is too old: install version 20.19 or newer."); process.exit(1); }'
