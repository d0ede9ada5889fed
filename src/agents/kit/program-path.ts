import { access, constants, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Where a program lies: on the PATH, or where its name leads when that is a path itself; null when it is not there. */
export async function programPath(command: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  if (command.includes('/')) return (await isProgram(command)) ? command : null
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, command)
    if (await isProgram(path)) return path
  }
  return null
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
