/**
 * The client as another runtime runs it, for `npm run test:nodes`: `deno run -A client-trial.mjs ADDRESS KEY CLIENT`.
 * Ends with 0 and prints `the client works` if everything does what it should.
 */
const [address, key, clientFile] = globalThis.Deno?.args ?? process.argv.slice(2);
const { Framewright, NotFoundError, RenderFailedError, verifyWebhook, WebhookError } = await import(
  clientFile
);

function must(holds, what) {
  if (!holds) throw new Error(`${what} is wrong`);
}

/** The error that a promise rejects with. */
const errorOf = (promise) =>
  promise.then(
    () => null,
    (error) => error,
  );

const framewright = new Framewright({ url: address, key });
const source = {
  output_format: 'mp4',
  width: 64,
  height: 64,
  duration: 2,
  frame_rate: 30,
  elements: [{ type: 'text', name: 'Title', text: 'Hello', fill_color: '#ffffff' }],
};

must((await framewright.validate({ source })).valid, 'validate');
const { bytes, type } = await framewright.preview({ source, time: 0.5 });
must(bytes.length > 100 && type === 'image/jpeg', 'preview');

const template = await framewright.templates.create({ name: 'Trial', source });
must((await framewright.templates.fields(template.id)).length > 0, 'fields');
const { content } = await framewright.templates.share(template.id);
const shared = new Uint8Array(await new globalThis.Response(content).arrayBuffer());
must((await framewright.templates.import(shared)).name.startsWith('Trial'), 'import of bytes');
const { content: stream } = await framewright.templates.share(template.id);
must((await framewright.templates.import(stream)).name.startsWith('Trial'), 'import of a stream');

let reports = 0;
// Long enough not to be done before anyone listens.
const changes = { Title: 'Today', width: 640, height: 360, duration: 20 };
const render = await framewright.render(
  { template_id: template.id, modifications: changes },
  { onProgress: () => reports++ },
);
must(render.status === 'succeeded', 'render');
must(reports > 0, 'progress');
must((await framewright.renders.download(render)).length > 500, 'download');
const listed = [];
for await (const one of framewright.renders.all({ limit: 1 })) listed.push(one.id);
must(listed.includes(render.id), 'list');

const missing = '00000000-0000-4000-8000-000000000000';
must((await errorOf(framewright.renders.get(missing))) instanceof NotFoundError, 'refusal');
const long = { ...source, duration: 60, width: 640, height: 640, frame_rate: 60 };
const { id } = await framewright.renders.create({ source: long });
const end = errorOf(framewright.renders.ended(id));
await framewright.renders.cancel(id);
must((await end) instanceof RenderFailedError, 'cancel');
// A loop that is left ends its stream; otherwise the program would not end.
for await (const { event } of framewright.renders.follow()) {
  must(event === 'ready', 'first event');
  break;
}
const call = { secret: 'whsec_c2VjcmV0', headers: {}, body: '{}' };
must((await errorOf(verifyWebhook(call))) instanceof WebhookError, 'webhook');
console.log('the client works');
