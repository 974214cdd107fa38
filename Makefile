# Everything a person types in this repository. `make help` lists it.
# Only git, make and Node 20 or later are needed: the first target that needs packages installs them, and with them the
# Node that everything runs on. Paths are relative on purpose: the repository may stand in a folder with spaces in its name.

NODE := bin/node
NPM := npm
# Set by npm ci below; packages are installed again only when the lock file is newer.
INSTALLED := node_modules/.installed
ARGS ?=
AREA ?=

.DEFAULT_GOAL := help
.PHONY: help run sandbox test test-all flake-hunt e2e story coverage check format build bench bench-api bench-cloudkit bench-half-open bench-machine bench-runtime bench-vm-status soak soak-runtime soak-vm-status soak-machine soak-sandbox mutate docs chart notices manifests image-root package clean

help: ## list the targets
	@echo "usage: make TARGET [ARGS='…']"
	@echo
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' Makefile

run: $(INSTALLED) ## start everything on this machine: the API, a PostgreSQL, the operators, three simulated KubeVirt clusters (ARGS='--fresh' and the like are passed on)
	@bin/ssvirt dev $(ARGS)

sandbox: $(INSTALLED) ## start the simulated cluster alone: a Kubernetes API on this machine (ARGS='--clusters 2' and the like are passed on)
	@bin/ssvirt sandbox $(ARGS)

test: $(INSTALLED) ## run the tests, which need git, make and Node only (ARGS=src/config for a part, with its suites where their tools are found)
	@$(NODE) test/run.ts $(ARGS)

test-all: $(INSTALLED) ## run every test and every suite with all of their cases, not only the chosen ones: several hours; what a machine has no tools for is named at the end
	@KUBEBUILDER_ASSETS="$${KUBEBUILDER_ASSETS:-$$(test/tools/install)}" SSVIRT_TEST_ALL=1 $(NODE) test/run.ts --all $(ARGS)

flake-hunt: $(INSTALLED) ## run each test file three times under artificial load, and 20 times where it failed in CI before (ARGS='--suites', ARGS=src/api)
	@$(NODE) --disable-warning=ExperimentalWarning test/flake-hunt/main.ts $(ARGS)

e2e: $(INSTALLED) ## run all three doors against a cluster with KubeVirt, and leave it as it was: make e2e KUBECONFIG=FILE (ARGS=--help tells the rest)
	@$(NODE) --disable-warning=ExperimentalWarning test/e2e/main.ts $(ARGS)

story: $(INSTALLED) ## tell the story of docs/story.md once more, with curl and kubectl, and write down what came out
	@$(NODE) --disable-warning=ExperimentalWarning test/story/main.ts

coverage: $(INSTALLED) ## run the tests and say how much of src, without the sandbox, they run; fails below 80 % (ARGS=src/config for a part, --files names the files below)
	@$(NODE) --disable-warning=ExperimentalWarning test/coverage/main.ts $(ARGS)

check: $(INSTALLED) ## format, lint (types and import arrows included) and type check, without changing a file
	@failed=0; \
	$(NODE) node_modules/.bin/oxfmt --check || failed=1; \
	$(NODE) node_modules/.bin/oxlint --type-aware --deny-warnings || failed=1; \
	$(NODE) node_modules/.bin/tsc -p tsconfig.json || failed=1; \
	exit $$failed

format: $(INSTALLED) ## format every file in place
	@$(NODE) node_modules/.bin/oxfmt

build: $(INSTALLED) ## compile src to dist for the image
	@rm -rf dist
	@$(NODE) node_modules/.bin/tsc -p tsconfig.build.json
	@cd src && find . \( -name '*.json' -o -path '*/browser/*' -type f \) -exec sh -c 'mkdir -p "../dist/$$(dirname "$$1")" && cp "$$1" "../dist/$$1"' sh {} \;

bench: $(INSTALLED) ## measure the sandbox, beside a real kube-apiserver where there is one (ARGS are passed on)
	@$(NODE) bench/sandbox/main.ts $(ARGS)

bench-api: build ## measure the API server with 100000 rows in every large list (ARGS are passed on)
	@$(NODE) bench/api/main.ts $(ARGS)

bench-cloudkit: build ## measure the cloudkit-operator with 200 orders at once, beside the same writes without it (ARGS are passed on)
	@$(NODE) bench/cloudkit/main.ts $(ARGS)

bench-half-open: build ## measure what connections without a finished TLS handshake cost the API server (ARGS are passed on)
	@$(NODE) bench/half-open/main.ts $(ARGS)

bench-machine: build ## measure the machine-operator with 1000 Machines on 10 clusters, beside the same writes without it (ARGS are passed on)
	@$(NODE) bench/machine/main.ts $(ARGS)

bench-vm-status: build ## measure the vm-controller and its database, beside a Go controller where there is a Go (ARGS are passed on)
	@$(NODE) bench/vm-status/main.ts $(ARGS)

bench-runtime: $(INSTALLED) ## measure the controller runtime, beside Go's controller-runtime where there is a Go (ARGS are passed on)
	@$(NODE) bench/runtime/main.ts $(ARGS)

soak: soak-runtime soak-vm-status ## run both soaks below, one after the other (ARGS='--minutes 2' for each)

soak-runtime: $(INSTALLED) ## run the controller runtime for 30 minutes against a server that dies every minute (ARGS are passed on)
	@$(NODE) bench/runtime-soak/main.ts $(ARGS)

soak-vm-status: $(INSTALLED) ## kill vm-controllers, API servers and PostgreSQL under 300 machines in 3 clusters (ARGS are passed on)
	@$(NODE) bench/vm-status-soak/main.ts $(ARGS)

soak-machine: $(INSTALLED) ## kill machine-operators and cut clusters off under 300 Machines in 3 clusters (ARGS are passed on)
	@$(NODE) bench/machine-soak/main.ts $(ARGS)

soak-sandbox: $(INSTALLED) ## run the sandbox under load and faults for a long time and watch its memory (ARGS are passed on)
	@$(NODE) bench/soak/main.ts $(ARGS)

mutate: $(INSTALLED) ## plant defects one by one in a copy of the sources and see that the tests notice each (AREA=sandbox|kube|simulators|vm-status|api|machine|cloudkit, ARGS=--ci, ARGS='quota')
	@$(NODE) test/mutate/main.ts $(if $(AREA),--area $(AREA)) $(ARGS)

docs: chart ## write docs/configuration.md from the config schema, docs/openapi.json from the routes, docs/cli.md from the commands, docs/metrics.md from the registries, docs/provider/rights.md from deploy/rbac, docs/api-errors.md from the codes, docs/contributor/tree.md from the folders, docs/reference from docs/openapi.json and deploy/crds, and what the chart has from elsewhere
	@bin/ssvirt config explain --markdown > docs/configuration.md
	@bin/ssvirt api-server openapi > docs/openapi.json
	@bin/ssvirt reference > docs/cli.md
	@$(NODE) deploy/metrics/generate.ts
	@$(NODE) deploy/reference/generate.ts
	@$(NODE) deploy/rights/generate.ts
	@$(NODE) test/architecture/tree.ts

chart: $(INSTALLED) ## write what the chart has from elsewhere: definitions, rights, rules, dashboards, the schema of its values, its README
	@$(NODE) deploy/chart/generate.ts

notices: $(INSTALLED) ## write THIRD-PARTY-NOTICES: the licences of the packages that are needed to run
	@$(NODE) deploy/notices/generate.ts

manifests: chart ## render deploy/manifests from the chart, with the Helm on the PATH or one that is built with Go
	@$(NODE) deploy/chart/manifests.ts "$$(test/tools/helm/install)/helm"

image-root: build ## make what the image adds to its base, in the folder image-root, without a container engine
	@rm -rf image-root
	@$(NODE) deploy/image/assemble.ts image-root

package: build ## make the npm package ssvirt-VERSION.tgz, for npm install elsewhere
	@$(NPM) pack --loglevel=error

clean: ## remove what was built and installed
	@rm -rf dist image-root node_modules ssvirt-*.tgz

$(INSTALLED): package-lock.json
	@command -v $(NPM) >/dev/null 2>&1 || { echo "make: npm is not on the PATH; install Node 20 or later, which brings it" >&2; exit 1; }
	@echo "installing packages"
	@$(NPM) ci --loglevel=error --no-progress --include=dev --include=optional
	@$(NODE) --version >/dev/null
	@touch $@
