// Starts a worker in a browser that needs polyfills (src/shared/polyfills/workers.ts). Messages of the page wait
// until it runs.
import './polyfills.js';

const start = new URLSearchParams(location.search).get('start');
const early = [];
const keep = (event) => early.push(event);
addEventListener('message', keep);
import(start)
  .then(() => {
    removeEventListener('message', keep);
    for (const { data, ports } of early) {
      dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }));
    }
  })
  .catch((error) => {
    // Rethrows as an error of the worker, so that the page receives it.
    setTimeout(() => {
      throw error;
    });
  });
