import { accessSync, constants, statSync } from 'node:fs'
import { lockedBy, ownerOf } from '../../journal/sqlite/folder-lock.ts'
import type { Check } from './check.ts'
import { readVersions } from './versions.ts'

const name = 'data folder'

/** Checks a data folder: whether it can be used, by which process, and its versions. */
export function checkFolder(folder: string): readonly Check[] {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats === undefined)
      return [{ name, status: 'ok', detail: `${folder} does not exist yet; it is created when needed` }]
    if (!stats.isDirectory())
      return [
        { name, status: 'fail', detail: `${folder} is not a folder`, advice: 'Choose another with --data.' },
      ]
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return [checkPrivacy(folder, stats.mode), checkLock(folder), checkVersions(folder)]
  } catch (error) {
    const detail = `${folder} cannot be used: ${(error as Error).message}`
    return [
      {
        name,
        status: 'fail',
        detail,
        advice: `Give yourself read and write permission, or choose another folder with --data.`,
      },
    ]
  }
}

function checkPrivacy(folder: string, mode: number): Check {
  const open = (mode & 0o077) !== 0
  const detail = `${folder}${open ? ' can be read by other users' : ''}`
  const advice = open ? { advice: `chmod 700 ${folder}` } : {}
  return { name, status: open ? 'warn' : 'ok', detail, ...advice }
}

function checkLock(folder: string): Check {
  try {
    const owner = ownerOf(folder)
    if (owner === null) return { name: 'lock', status: 'ok', detail: 'free' }
    const { url, pid } = owner
    if (url === undefined) return { name: 'lock', status: 'warn', detail: lockedBy(folder, owner).message }
    return { name: 'lock', status: 'ok', detail: `in use by the server at ${url}, process ${pid}` }
  } catch (error) {
    return { name: 'lock', status: 'fail', detail: (error as Error).message }
  }
}

function checkVersions(folder: string): Check {
  try {
    const versions = readVersions(folder)
    if (versions === null) return { name: 'journal', status: 'ok', detail: 'nothing is saved yet' }
    const { text: detail, newer } = versions
    if (!newer) return { name: 'journal', status: 'ok', detail }
    const advice = 'Update Dragoman.'
    return { name: 'journal', status: 'fail', detail: `${detail}: newer than this Dragoman`, advice }
  } catch (error) {
    const detail = `cannot be read: ${(error as Error).message}`
    return { name: 'journal', status: 'fail', detail, advice: 'Run "dragoman verify".' }
  }
}
