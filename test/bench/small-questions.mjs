/**
 * A process of the benchmark of attacks that asks small things of the API all the time, and has a plain picture made
 * now and then. A process of its own, because the one that attacks is held up by what it sends. Says when it has asked
 * enough, and then how long each took, in milliseconds.
 */
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const { apiUrl, key, seconds, least, most, picture } = JSON.parse(process.argv[2]);
const agent = new http.Agent({ keepAlive: true });

function ask(method, target, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    const request = http.request(`${apiUrl}${target}`, { method, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    request.on('error', reject).end(body);
  });
}

/** Its end is waited for beside the questions, and is not one of them. */
async function ended(id, begun) {
  for (;;) {
    const { text } = await ask('GET', `/v2/renders/${id}`).catch(() => ({ text: '{}' }));
    const { status } = JSON.parse(text);
    if (status === 'succeeded' || status === 'failed')
      return { status, took: performance.now() - begun };
    await pause(25);
  }
}

const times = [];
const others = [];
let refused = 0;
const start = performance.now();
const isEnough = () => {
  const passed = (performance.now() - start) / 1_000;
  return passed >= most || (passed >= seconds && times.length >= least);
};
for (let turn = 0; !isEnough(); turn++) {
  const begun = performance.now();
  const makes = turn % 50 === 0;
  const request = makes
    ? ask('POST', '/v2/renders', JSON.stringify(picture))
    : ask('GET', '/v2/templates?tags=none');
  const answer = await request.catch(() => null);
  times.push(performance.now() - begun);
  if (!answer || answer.status >= 400) refused++;
  else if (makes) others.push(ended(JSON.parse(answer.text).id, begun));
  await pause(5);
}
process.send('asked');
process.send({ times, refused, others: await Promise.all(others) }, () => {
  agent.destroy();
  process.disconnect();
});
