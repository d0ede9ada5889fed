import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'
import type { Json } from '../../protocol/json.ts'
import { RpcRefusal } from '../kit/rpc-message.ts'
import { numberOf, textOf, type JsonObject } from './messages.ts'

const invalidParams = -32602
const notFound = -32002
const largest = 32 * 1024 * 1024

/** Reads a text file for the agent, within its folder. */
export async function readTextFile(folder: string, params: JsonObject): Promise<Json> {
  const path = await confined(folder, textOf(params['path']))
  const { size } = await stat(path).catch(() => {
    throw new RpcRefusal(notFound, `Resource not found: ${path}`)
  })
  if (size > largest) throw new RpcRefusal(invalidParams, `${path} is too large to be read as a text.`)
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  const text = await file.readFile('utf8')
  return { content: someLines(text, numberOf(params['line']), numberOf(params['limit'])) }
}

/** Lines are counted from 1. */
function someLines(text: string, line: number | undefined, limit: number | undefined): string {
  if (line === undefined && limit === undefined) return text
  const lines = text.split('\n')
  const from = Math.max(0, (line ?? 1) - 1)
  return lines.slice(from, limit === undefined ? undefined : from + limit).join('\n')
}

/** Writes a text file for the agent, within its folder. */
export async function writeTextFile(folder: string, params: JsonObject): Promise<Json> {
  const path = await confined(folder, textOf(params['path']))
  const content = textOf(params['content'])
  if (content === undefined) throw new RpcRefusal(invalidParams, 'The content to write is missing.')
  await mkdir(dirname(path), { recursive: true })
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  await using file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644)
  await file.writeFile(content)
  return {}
}

/** The true path of a file that may not exist yet; it must lie in the folder, whatever links lead to it. */
export async function confined(folder: string, path: string | undefined): Promise<string> {
  if (path === undefined || !isAbsolute(path) || path.includes('\0'))
    throw new RpcRefusal(invalidParams, 'A path must be absolute.')
  const root = await realpath(folder)
  const target = await truePath(path)
  if (target !== root && !target.startsWith(root.endsWith(sep) ? root : `${root}${sep}`))
    throw new RpcRefusal(invalidParams, `${path} lies outside of the session's folder ${folder}.`)
  return target
}

async function truePath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    // A link to nowhere would be followed when the file is made.
    const isThere = await lstat(path).then(
      () => true,
      () => false,
    )
    if (isThere || dirname(path) === path) throw new RpcRefusal(invalidParams, String(error))
    return join(await truePath(dirname(path)), basename(path))
  }
}
