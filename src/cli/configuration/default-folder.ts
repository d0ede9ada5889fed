import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../terminal/output.ts'

/** Where data is kept when nothing else is said: the place that the system sets aside for it. */
export function defaultFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = env['HOME'] || homedir()
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'dragoman')
  const data = env['XDG_DATA_HOME']
  // The standard says that a relative path there is to be ignored.
  return join(data?.startsWith('/') === true ? data : join(home, '.local', 'share'), 'dragoman')
}
