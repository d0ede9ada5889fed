import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../terminal/output.ts'

/** The default data folder: the system's place for application data. */
export function defaultFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = env['HOME'] || homedir()
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'dragoman')
  const data = env['XDG_DATA_HOME']
  // The standard says that a relative path there is to be ignored.
  return join(data?.startsWith('/') === true ? data : join(home, '.local', 'share'), 'dragoman')
}
