import { resolve } from 'node:path'
import type { Configuration } from './keys.ts'

/** The settings with every path whole: a relative one starts from where it is named. */
export function resolvePaths(settings: Partial<Configuration>, base: string): Partial<Configuration> {
  const { data, roots } = settings
  return {
    ...settings,
    ...(data !== undefined && { data: resolve(base, data) }),
    ...(roots && { roots: roots.map(root => resolve(base, root)) }),
  }
}
