import { fileURLToPath } from 'node:url'

const room = (path: string) => fileURLToPath(new URL(`../src/${path}/index.ts`, import.meta.url))

/** The app imports the package only through these public entry points, as its users do. */
export const doors = [
  {
    find: /^dragoman\/(client\/context|client\/work-log|client\/replay|client\/usage|client|react)$/,
    replacement: room('$1'),
  },
  {
    find: /^dragoman\/client\/readable$/,
    replacement: fileURLToPath(new URL('../src/client/readable.ts', import.meta.url)),
  },
  { find: /^dragoman$/, replacement: room('protocol') },
] as const
