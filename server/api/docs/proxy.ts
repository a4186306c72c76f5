/** The page of the help about proxies, before the server and behind it. test/api/docs.test.ts reads its settings with nginx. */
import type { Topic } from './topic.ts';

/** The settings for nginx. `/etc/nginx/conf.d` has files of this form. */
export const nginxSample = `server {
    listen 443 ssl;
    server_name films.example.com;
    ssl_certificate     /etc/ssl/films.example.com.pem;
    ssl_certificate_key /etc/ssl/films.example.com.key;

    location / {
        proxy_pass http://127.0.0.1:4820;
        proxy_http_version 1.1;
        proxy_buffering off;            # events arrive at once
        proxy_request_buffering off;    # uploads are not stored twice
        client_max_body_size 0;         # the server has limits of its own
        proxy_read_timeout 120s;        # "Prefer: wait=60" and longer
    }
}`;

/** See above. */
export const proxyTopic: Topic = {
  slug: 'proxy',
  title: 'Behind a proxy',
  summary: 'TLS and a name with nginx, Caddy or Traefik; proxies on the way out.',
  text: () => `
The API speaks plain HTTP. For TLS, a name or a path of a larger site, put a proxy in front of it and tell the server the address that others use:

\`\`\`sh
framewright serve --public-url https://films.example.com
\`\`\`

\`--public-url\` is what all links begin with: in answers, webhooks, these pages and the OpenAPI document. In Docker, use \`FRAMEWRIGHT_PUBLIC_URL\`. If the proxy has several names, use \`--trust-proxy\` and \`--allow-host NAME\` instead; the proxy must then set \`X-Forwarded-Proto\` and \`X-Forwarded-Host\` itself: otherwise anyone can. The header \`Forwarded\` is not read, because few proxies replace it. In the window, "Address for others" and "Trust the headers of a proxy" under Settings ▸ Network are the same.

With either, strangers may send documents, although the server listens to its own computer alone. So media and webhooks can no longer reach this computer and its network, unless it is started with \`--local-addresses always\`. Without either, the server knows of no proxy: start it with \`--local-addresses never\`.

Everybody who has a key may render. The window's own port is not for proxies: it is meant for this computer.

## nginx

\`\`\`nginx
${nginxSample}
\`\`\`

Below a path, with \`--public-url https://example.com/framewright\`, the two slashes at the ends take the path away:

\`\`\`nginx
location /framewright/ {
    proxy_pass http://127.0.0.1:4820/;
    # the other lines as above
}
\`\`\`

## Caddy

Caddy fetches the certificate by itself, passes events on at once and has no limit for uploads.

\`\`\`caddy
films.example.com {
    reverse_proxy 127.0.0.1:4820
}
\`\`\`

Below a path: \`handle_path /framewright/* { … }\` around the line.

## Traefik

A file of the dynamic configuration. Traefik passes events on at once. It cuts off requests that take longer than 60 seconds to arrive: for large uploads, set \`respondingTimeouts.readTimeout\` of the entry point to \`0\`.

\`\`\`yaml
http:
  routers:
    framewright:
      rule: Host(\`films.example.com\`)
      entryPoints: [websecure]
      tls: {}
      service: framewright
  services:
    framewright:
      loadBalancer:
        servers:
          - url: http://127.0.0.1:4820
\`\`\`

Below a path, add a middleware \`stripPrefix\` with \`prefixes: [/framewright]\`.

## What a proxy must let through

| | Needs |
|---|---|
| \`Prefer: wait=60\` | answers that begin after up to 60 seconds |
| Events of renders | no buffering; something is sent every 15 seconds |
| Uploads of media | bodies up to 4 GB, and time for them |
| Parts of films | the headers \`Range\` and \`If-Range\` |
| Keys | the header \`Authorization\` |

## Proxies on the way out

Downloads of media and calls of webhooks go out directly: \`HTTP_PROXY\`, \`HTTPS_PROXY\` and \`NO_PROXY\` are not obeyed, because the server checks the address of every connection itself. On a network whose only way out is a proxy, send files to the [media library](/docs/media) or name them by a path. npm obeys these variables when the program is installed.
`,
};
