// The rival in bench/vm-status: a controller on Go's controller-runtime that brings the state of VirtualMachines into PostgreSQL the plain way, row by row:
// get from the cache, find the row, compare, update. Five workers, one retry schedule for each VM, one leader by Lease. It records no Events, which
// such a controller would for each change: that would load the API server, and it is the database that is to be compared.
//
// The database's URL is in the environment, where other users of the machine cannot read it.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func main() {
	workers := flag.Int("workers", 5, "reconciles at a time")
	projection := flag.Bool("projection", false, "keep only what is read of each VM in the cache")
	namespace := flag.String("namespace", "default", "where the Lease is")
	metrics := flag.String("metrics", "0", "where /metrics is served")
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.WriteTo(os.Stderr)))
	ctx := ctrl.SetupSignalHandler()

	pool, err := connect(ctx, os.Getenv("DATABASE_URL"), *workers)
	must(err)
	defer pool.Close()

	config, err := ctrl.GetConfig() // reads the flag -kubeconfig, which that package defines
	must(err)
	config.QPS = -1
	scheme := runtime.NewScheme()
	register(scheme)
	options := ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       server.Options{BindAddress: *metrics},
		LeaderElection:                true,
		LeaderElectionID:              "ssvirt-vm-controller",
		LeaderElectionNamespace:       *namespace,
		LeaderElectionReleaseOnCancel: true,
	}
	if *projection {
		options.Cache = cache.Options{DefaultTransform: project}
	}
	manager, err := ctrl.NewManager(config, options)
	must(err)
	must(ctrl.NewControllerManagedBy(manager).
		For(&VirtualMachine{}).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: *workers,
			RateLimiter:             workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](time.Second, 5*time.Minute),
		}).
		Complete(&reconciler{client: manager.GetClient(), rows: &rows{pool: pool}, log: ctrl.Log.WithName("vm-status")}))
	must(manager.Start(ctx))
}

func connect(ctx context.Context, url string, workers int) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = int32(workers)
	return pgxpool.NewWithConfig(ctx, config)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
