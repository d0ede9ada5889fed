import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process of a world: one that works in its folders, or has them in its environment. */
export interface WorldProcess {
  readonly pid: number
  readonly command: string
}

/** Whatever runs in a world. */
export function processesIn(folder: string): readonly WorldProcess[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && belongs(name, folder))
    .map(name => ({ pid: Number(name), command: read(name, 'cmdline').replaceAll('\0', ' ').trim() }))
    .filter(({ command }) => command !== '')
}

function belongs(pid: string, folder: string): boolean {
  try {
    return (
      read(pid, 'environ').includes(`${folder}/`) || `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(folder)
    )
  } catch {
    // It has ended.
    return false
  }
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // It has ended, or belongs to another user.
    return ''
  }
}
