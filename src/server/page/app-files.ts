import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

/** A file of the web app. */
export interface AppFile {
  readonly type: string
  /** Whether its name contains a content hash, so that a browser may cache it forever. */
  readonly named: boolean
  read(): Promise<Uint8Array<ArrayBuffer>>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

/** The files of the built web app by path. Empty if it is not built. */
export function findAppFiles(folder: string | undefined): ReadonlyMap<string, AppFile> {
  if (folder === undefined || !existsSync(join(folder, 'index.html'))) return new Map()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    names.flatMap(name => {
      const type = types[extname(name)]
      const path = `/${name.split(sep).join('/')}`
      return type === undefined ? [] : [[path, fileOf(join(folder, name), type, path)] as const]
    }),
  )
}

const fileOf = (place: string, type: string, path: string): AppFile => ({
  type,
  named: path.startsWith('/assets/'),
  read: async () => new Uint8Array(await readFile(place)),
})
