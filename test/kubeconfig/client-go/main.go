// What client-go makes of the kubeconfigs of table.ts, as JSON for the tests to compare with. record.ts runs it.
package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/transport"
)

type kubeconfigCase struct {
	Name    string   `json:"name"`
	Folder  string   `json:"folder"`
	List    []string `json:"list"`
	Context string   `json:"context"`
}

type outcome struct {
	Error      string              `json:"error,omitempty"`
	Server     string              `json:"server,omitempty"`
	CA         string              `json:"ca,omitempty"`
	Cert       string              `json:"cert,omitempty"`
	Key        string              `json:"key,omitempty"`
	ServerName string              `json:"serverName,omitempty"`
	Insecure   bool                `json:"insecureSkipVerify,omitempty"`
	Proxy      string              `json:"proxyUrl,omitempty"`
	Headers    map[string][]string `json:"headers,omitempty"`
	Namespace  string              `json:"namespace,omitempty"`
	Context    string              `json:"context,omitempty"`
	Contexts   []string            `json:"contexts,omitempty"`
}

type capture struct{ headers http.Header }

func (c *capture) RoundTrip(request *http.Request) (*http.Response, error) {
	c.headers = request.Header
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: request}, nil
}

func main() {
	var cases []kubeconfigCase
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	outcomes := map[string]outcome{}
	for _, one := range cases {
		found, err := load(one)
		if err != nil {
			found = outcome{Error: strings.ReplaceAll(err.Error(), one.Folder, "")}
		}
		outcomes[one.Name] = found
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(outcomes); err != nil {
		panic(err)
	}
}

func load(one kubeconfigCase) (outcome, error) {
	var found outcome
	paths := []string{}
	for _, name := range one.List {
		if name != "" {
			name = filepath.Join(one.Folder, name)
		}
		paths = append(paths, name)
	}
	os.Setenv("KUBECONFIG", strings.Join(paths, string(os.PathListSeparator)))
	overrides := &clientcmd.ConfigOverrides{CurrentContext: one.Context}
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(clientcmd.NewDefaultClientConfigLoadingRules(), overrides)
	config, err := loader.ClientConfig()
	if err != nil {
		return found, err
	}
	raw, err := loader.RawConfig()
	if err != nil {
		return found, err
	}
	for name := range raw.Contexts {
		found.Contexts = append(found.Contexts, name)
	}
	sort.Strings(found.Contexts)
	found.Context = raw.CurrentContext
	if one.Context != "" {
		found.Context = one.Context
	}
	if found.Namespace, _, err = loader.Namespace(); err != nil {
		return found, err
	}
	return found, connection(config, &found)
}

func connection(config *rest.Config, found *outcome) error {
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return err
	}
	found.Server = strings.TrimRight(base.String(), "/")
	if config.Proxy != nil {
		proxy, err := config.Proxy(&http.Request{URL: base})
		if err != nil {
			return err
		}
		found.Proxy = proxy.String()
	}
	settings, err := config.TransportConfig()
	if err != nil {
		return err
	}
	if _, err := transport.TLSConfigFor(settings); err != nil {
		return err
	}
	found.CA, found.Cert, found.Key = string(settings.TLS.CAData), string(settings.TLS.CertData), string(settings.TLS.KeyData)
	found.ServerName, found.Insecure = settings.TLS.ServerName, settings.TLS.Insecure
	last := &capture{}
	wrapped, err := transport.HTTPWrappersForConfig(settings, last)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodGet, base.String(), nil)
	if err != nil {
		return err
	}
	if _, err := wrapped.RoundTrip(request); err != nil {
		return err
	}
	found.Headers = last.headers
	return nil
}
