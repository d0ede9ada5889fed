import { access, constants, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The path of a program: on the PATH, or by its name if that is a path; null if it does not exist. */
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
