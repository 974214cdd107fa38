// The rival in bench/runtime: a small controller on Go's controller-runtime that does what subject.ts does. It keeps whole objects, as
// such controllers do unless somebody took care, reads each from its cache when it reconciles, and writes nothing.
//
// It is steered by lines on standard input and answers with lines of JSON on standard output.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"log"
	"os"
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const sentAnnotation = "bench/sent"

type subject struct {
	client   client.Client
	empty    func() client.Object
	expected int

	mu        sync.Mutex
	began     time.Time
	seen      map[string]bool
	handled   int
	goal      int
	goalBegan time.Time
	lastSent  map[string]string
	latencies []float64
}

func say(value map[string]any) {
	line, err := json.Marshal(value)
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(append(line, '\n'))
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

func (s *subject) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object := s.empty()
	if err := s.client.Get(ctx, request.NamespacedName, object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	now := time.Now().UnixMicro()
	sent := object.GetAnnotations()[sentAnnotation]
	s.mu.Lock()
	defer s.mu.Unlock()
	key := request.String()
	if sent != "" && s.lastSent[key] != sent {
		s.lastSent[key] = sent
		if stamp, err := strconv.ParseInt(sent, 10, 64); err == nil {
			s.latencies = append(s.latencies, float64(now-stamp)/1000)
		}
	}
	if s.seen != nil {
		s.seen[key] = true
		if len(s.seen) == s.expected {
			s.seen = nil
			say(map[string]any{"event": "drained", "ms": milliseconds(s.began)})
		}
	}
	s.handled++
	if s.goal > 0 && s.handled == s.goal {
		s.goal = 0
		say(map[string]any{"event": "flooded", "ms": milliseconds(s.goalBegan)})
	}
	return reconcile.Result{}, nil
}

func main() {
	group := flag.String("group", "kubevirt.io", "the group of the VirtualMachines")
	shape := flag.String("shape", "unstructured", "how objects are kept: unstructured, or raw (a struct with the bytes of spec and status)")
	expected := flag.Int("objects", 0, "how many objects there are")
	workers := flag.Int("workers", 1, "reconciles at a time")
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.WriteTo(os.Stderr)))

	config, err := ctrl.GetConfig() // reads the flag -kubeconfig, which that package defines
	must(err)
	config.QPS = -1
	empty, emptyList := shapes(*shape, *group)
	scheme := runtime.NewScheme()
	must(register(scheme, *group))
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Metrics: server.Options{BindAddress: "0"}})
	must(err)

	s := &subject{
		client: manager.GetClient(), empty: empty, expected: *expected,
		seen: map[string]bool{}, lastSent: map[string]string{},
	}
	if *shape == "unstructured" {
		s.client, err = client.New(config, client.Options{Scheme: scheme, Cache: &client.CacheOptions{Reader: manager.GetCache(), Unstructured: true}})
		must(err)
	}
	external := make(chan event.GenericEvent)
	c, err := controller.New("bench", manager, controller.Options{Reconciler: s, MaxConcurrentReconciles: *workers})
	must(err)
	must(c.Watch(source.Kind(manager.GetCache(), empty(), &handler.EnqueueRequestForObject{})))
	must(c.Watch(source.Channel(external, &handler.EnqueueRequestForObject{})))

	ctx := ctrl.SetupSignalHandler()
	go func() {
		if manager.GetCache().WaitForCacheSync(ctx) {
			// The informer of the controller is started with it: wait for that one.
			informer, err := manager.GetCache().GetInformer(ctx, empty())
			must(err)
			for !informer.HasSynced() {
				time.Sleep(time.Millisecond)
			}
			say(map[string]any{"event": "synced", "ms": milliseconds(s.began)})
		}
	}()
	go s.obey(ctx, external, emptyList)
	s.began = time.Now()
	must(manager.Start(ctx))
}

// obey reads commands: `flood` reconciles every object once, `latencies` prints those since the last time.
func (s *subject) obey(ctx context.Context, external chan<- event.GenericEvent, emptyList func() client.ObjectList) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		switch lines.Text() {
		case "flood":
			list := emptyList()
			must(s.client.List(ctx, list))
			objects := items(list)
			s.mu.Lock()
			s.handled, s.goal, s.goalBegan = 0, len(objects), time.Now()
			s.mu.Unlock()
			for _, object := range objects {
				external <- event.GenericEvent{Object: object}
			}
		case "latencies":
			s.mu.Lock()
			values := s.latencies
			s.latencies = nil
			s.mu.Unlock()
			say(map[string]any{"event": "latencies", "ms": values})
		}
	}
	os.Exit(0)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
