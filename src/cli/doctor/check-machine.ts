import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { bytesText } from '../terminal/amounts.ts'
import type { Check } from './check.ts'

const little = 1e9
const tooLittle = 5e7

/** Checks Node, SQLite and the disk of a data folder. */
export function checkMachine(folder: string): readonly Check[] {
  const { node, sqlite = 'unknown' } = process.versions
  return [
    { name: 'Node', status: 'ok', detail: node },
    { name: 'SQLite', status: 'ok', detail: sqlite },
    checkDisk(folder),
  ]
}

function checkDisk(folder: string): Check {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return describe(bavail * bsize)
  } catch (error) {
    const parent = dirname(folder)
    // A missing folder will be created on the disk of its parent.
    if (parent !== folder) return checkDisk(parent)
    return { name: 'disk', status: 'warn', detail: `cannot be checked: ${(error as Error).message}` }
  }
}

function describe(free: number): Check {
  const check = { name: 'disk', detail: `${bytesText(free)} free` }
  if (free >= little) return { ...check, status: 'ok' }
  return { ...check, status: free < tooLittle ? 'fail' : 'warn', advice: 'Free some space.' }
}
