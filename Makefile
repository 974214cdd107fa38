# Everything a person types in this repository. `make help` lists it.
# Only git, make and Node 20 or later are needed: the first target that needs packages installs them, and with them the
# Node that everything runs on. Paths are relative on purpose: the repository may stand in a folder with spaces in its name.

NODE := bin/node
NPM := npm
# Set by npm ci below; packages are installed again only when the lock file is newer.
INSTALLED := node_modules/.installed
# Passed on to the command, as in make test ARGS=packages/base/src/config.
ARGS ?=
# The part that bench, soak and mutate are about.
AREA ?=

bench_areas := api cloudkit half-open machine runtime sandbox vm-status
# These measure the compiled program.
built_areas := api cloudkit half-open machine vm-status
mutate_areas := sandbox kube simulators vm-status api machine cloudkit
soak_areas := machine runtime sandbox vm-status

empty :=
space := $(empty) $(empty)
# $(call require_area,AREA,AREAS) is shell code that exits with 2, and says which areas there are, if AREA is none of them.
require_area = case '$(1)' in $(subst $(space),|,$(2))) ;; *) echo 'make $@: there is no area "$(1)"; the areas are $(2)' >&2; exit 2 ;; esac

.DEFAULT_GOAL := help
.PHONY: help run sandbox e2e check format test test-all coverage flake-hunt mutate docs manifests story clean bench soak build image-root package

help: ## list the targets
	@echo "usage: make TARGET [AREA=…] [ARGS='…']"
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z0-9-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' Makefile

##@ Use

run: $(INSTALLED) ## start everything on this machine: the API, a PostgreSQL, the operators, three simulated KubeVirt clusters (ARGS=--fresh)
	@bin/ssvirt dev $(ARGS)

sandbox: $(INSTALLED) ## start the simulated cluster alone: a Kubernetes API on this machine (ARGS='--clusters 2')
	@bin/ssvirt sandbox $(ARGS)

e2e: $(INSTALLED) ## run all three doors against a cluster with KubeVirt, and leave it as it was: make e2e KUBECONFIG=FILE (ARGS=--help tells the rest)
	@$(NODE) --disable-warning=ExperimentalWarning test/e2e/main.ts $(ARGS)

##@ Change

check: $(INSTALLED) ## format, lint (types and import arrows included) and type check, without changing a file
	@failed=0; \
	$(NODE) node_modules/.bin/oxfmt --check || failed=1; \
	$(NODE) node_modules/.bin/oxlint --type-aware --deny-warnings || failed=1; \
	$(NODE) node_modules/.bin/tsc -p tsconfig.json || failed=1; \
	exit $$failed

format: $(INSTALLED) ## format every file in place
	@$(NODE) node_modules/.bin/oxfmt

test: $(INSTALLED) ## run the tests, which need git, make and Node only (ARGS=packages/base/src/config for a part, with its suites where their tools are found)
	@$(NODE) test/run.ts $(ARGS)

test-all: $(INSTALLED) ## run every test and every suite with all of their cases, not only the chosen ones, which takes several hours
	@KUBEBUILDER_ASSETS="$${KUBEBUILDER_ASSETS:-$$(test/tools/install)}" SSVIRT_TEST_ALL=1 $(NODE) test/run.ts --all $(ARGS)

coverage: $(INSTALLED) ## run the tests and say how much of packages, without the sandbox, they run; fails below 80 % (ARGS=packages/base/src/config for a part)
	@$(NODE) --disable-warning=ExperimentalWarning test/coverage/main.ts $(ARGS)

flake-hunt: $(INSTALLED) ## run each test file three times under artificial load, and 20 times where it failed in CI before (ARGS='--suites', ARGS=packages/ssvirt/src/api)
	@$(NODE) --disable-warning=ExperimentalWarning test/flake-hunt/main.ts $(ARGS)

mutate: $(INSTALLED) ## plant defects one by one and see that the tests notice each (AREA=sandbox|kube|simulators|vm-status|api|machine|cloudkit, ARGS=--ci, ARGS=quota)
	@$(if $(AREA),$(call require_area,$(AREA),$(mutate_areas)))
	@$(NODE) test/mutate/main.ts $(if $(AREA),--area $(AREA)) $(ARGS)

docs: $(INSTALLED) ## write what is generated: pages in docs, the API client, the chart's copies, schema and README, THIRD-PARTY-NOTICES
	@$(NODE) deploy/chart/generate.ts
	@bin/ssvirt config explain --markdown > docs/configuration.md
	@bin/ssvirt api-server openapi > docs/openapi.json
	@$(NODE) deploy/api-client/generate.ts
	@bin/ssvirt reference > docs/cli.md
	@$(NODE) deploy/metrics/generate.ts
	@$(NODE) deploy/reference/generate.ts
	@$(NODE) deploy/rights/generate.ts
	@$(NODE) node_modules/.bin/oxfmt docs/provider/rights.md
	@$(NODE) test/architecture/tree.ts
	@$(NODE) test/runtime/checklist.ts --write
	@$(NODE) deploy/notices/generate.ts

manifests: $(INSTALLED) ## render deploy/manifests from the chart, with the Helm on the PATH or one that is built with Go
	@$(NODE) deploy/chart/generate.ts
	@$(NODE) deploy/chart/manifests.ts "$$(test/tools/helm/install)/helm"

story: $(INSTALLED) ## tell the story of docs/story.md once more, with curl and kubectl, and write down what came out
	@$(NODE) --disable-warning=ExperimentalWarning test/story/main.ts

clean: ## remove what was built and installed
	@rm -rf dist dist-kube image-root node_modules ssvirt-*.tgz

##@ Measure

bench: $(if $(filter $(built_areas),$(subst $(space),+,$(AREA))),build,$(INSTALLED)) ## measure an area (AREA=api|cloudkit|half-open|machine|runtime|sandbox|vm-status, without one the sandbox; ARGS=--help)
	@$(call require_area,$(or $(AREA),sandbox),$(bench_areas))
	@$(NODE) bench/$(or $(AREA),sandbox)/main.ts $(ARGS)

soak: $(INSTALLED) ## load an area for long and kill its parts (AREA=machine|runtime|sandbox|vm-status, without one runtime, then vm-status; ARGS='--minutes 2')
	@$(call require_area,$(or $(AREA),runtime),$(soak_areas))
	@for area in $(or $(AREA),runtime vm-status); do $(NODE) bench/$$area-soak/main.ts $(ARGS) || exit; done

##@ Release

build: $(INSTALLED) ## compile packages to dist for the image
	@rm -rf dist
	@$(NODE) node_modules/.bin/tsc -p tsconfig.build.json
	@$(NODE) deploy/build/link-packages.ts dist
	@cd packages && find . -path './*/src/*' \( -name '*.json' -o -path '*/browser/*' -type f \) -exec sh -c 'mkdir -p "../dist/$$(dirname "$$1")" && cp "$$1" "../dist/$$1"' sh {} \;

image-root: build ## make what the image adds to its base, in the folder image-root, without a container engine
	@rm -rf image-root
	@$(NODE) deploy/image/assemble.ts image-root

package: build ## make the npm packages ssvirt-VERSION.tgz and ssvirt-kube-VERSION.tgz, for npm install elsewhere
	@$(NPM) pack --loglevel=error
	@rm -rf dist-kube
	@$(NODE) node_modules/.bin/tsc -p packages/kube
	@$(NODE) deploy/build/link-packages.ts dist-kube
	@$(NODE) deploy/build/kube-package.ts dist-kube
	@$(NPM) pack --loglevel=error ./dist-kube

$(INSTALLED): package-lock.json
	@command -v $(NPM) >/dev/null 2>&1 || { echo "make: npm is not on the PATH; install Node 20 or later, which brings it" >&2; exit 1; }
	@echo "installing packages"
	@$(NPM) ci --loglevel=error --no-progress --include=dev --include=optional
	@$(NODE) --version >/dev/null
	@touch $@
