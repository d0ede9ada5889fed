import { createHash } from 'node:crypto'

const style =
  'body{font:16px/1.6 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem;color-scheme:light dark}code{font:0.95em ui-monospace,monospace;padding:.1em .35em;border:1px solid;border-radius:.3em}'

const hash = createHash('sha256').update(style).digest('base64')

/** A browser that just signed in may run only the script that stores the key. */
export const signInPolicy = `default-src 'none'; script-src 'self'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** A browser that is not signed in gets no files, so its page contains its style, and no script may run. */
export const signedOutPolicy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const page = (head: string, title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Dragoman</title><link rel="icon" href="data:,">${head}<style>${style}</style></head><body><h1>${title}</h1>${body}</body></html>`

/** Explains how to sign in, and what went wrong with a failed attempt. */
export const signedOutPage = (trouble: string): string =>
  page(
    '',
    'Sign in to Dragoman',
    `<p>${escape(trouble)}</p><p>On the machine where the server runs, run <code>dragoman open</code> and open the link it prints. Each link works once and is valid for 5 minutes.</p>`,
  )

/** Shown instead of the app while it is not built. */
export const notBuiltPage = page(
  '',
  'The web app is not built',
  '<p>The server is running, and API clients and the command line can use it. To build the app, run <code>npm run build:web</code> in the project folder, then restart the server.</p>',
)

/** Gives a browser its key: `web/public/sign-in.js` stores it and opens the app. */
export const signInPage = (key: string): string =>
  page(
    `<meta name="dragoman-key" content="${escape(key)}"><script src="/sign-in.js" defer></script>`,
    'You are signed in',
    '<p id="trouble"></p><p><a href="/">Open Dragoman</a></p>',
  )

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
