import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Where the app under test was built; DRAGOMAN_WEB may name another build. */
export const appFolder: string = process.env['DRAGOMAN_WEB'] ?? join(import.meta.dirname, '../../dist/web')

/** Builds the web app, unless the same sources were built before, or another build is named. */
export function buildApp(): void {
  if (process.env['DRAGOMAN_WEB'] !== undefined) return
  const builder = join(import.meta.dirname, '../../web/build.ts')
  const { status } = spawnSync(process.execPath, [builder, '--if-stale'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('Couldn’t build the web app.')
}
