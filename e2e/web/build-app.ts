import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Where the app that is tried was built; somebody who tries something may say where they built it. */
export const appFolder: string = process.env['DRAGOMAN_WEB'] ?? join(import.meta.dirname, '../../dist/web')

/** Builds the web app, unless it was built from the same sources before, or somebody says where they built it. */
export function buildApp(): void {
  if (process.env['DRAGOMAN_WEB'] !== undefined) return
  const builder = join(import.meta.dirname, '../../web/build.ts')
  const { status } = spawnSync(process.execPath, [builder, '--if-stale'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('Couldn’t build the web app.')
}
