/** The explorer page sends the token that a log-in returns with every later request. */
const start = window.SwaggerUIBundle;

const useTokenOfLogIn = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        setResponse: (original, system) => (path, method, response) => {
          const value = response.headers?.['x-vmware-vcloud-access-token'];
          const schema = { type: 'http', scheme: 'bearer' };
          if (value !== undefined) system.authActions.authorize({ session: { name: 'session', schema, value } });
          return original(path, method, response);
        },
      },
    },
  },
});

// The page starts when it has loaded, after this script.
window.SwaggerUIBundle = Object.assign(
  (config) => start({ ...config, plugins: [...config.plugins, useTokenOfLogIn] }),
  start,
);
