import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from './terminal/output.ts'

/** Caches compiled code, so that the next start takes half the time. */
export function keepCompiled(env: Environment): void {
  // Not in the shared temporary folder, where other users could plant code.
  const cache = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache')
  if (!env['NODE_COMPILE_CACHE']) enableCompileCache(join(cache, 'dragoman'))
}
