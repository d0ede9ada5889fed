import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from './terminal/output.ts'

/** Keeps compiled code for the next start, which then takes half the time. Where that cannot be, it is left. */
export function keepCompiled(env: Environment): void {
  // The common folder for temporary files would do, but there others could put code in our way.
  const cache = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache')
  if (!env['NODE_COMPILE_CACHE']) enableCompileCache(join(cache, 'dragoman'))
}
