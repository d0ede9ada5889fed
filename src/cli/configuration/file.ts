import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseWithoutMark } from '../parse-without-mark.ts'
import { checkSource, refusal } from './check.ts'
import type { Configuration } from './keys.ts'
import { resolvePaths } from './resolve-paths.ts'

/** Reads settings from a file. A relative path in it starts at the file's folder. */
export function readFile(path: string, mayBeMissing: boolean): Partial<Configuration> {
  const text = readText(path, mayBeMissing)
  if (text === undefined) return {}
  return resolvePaths(checkSource({ values: parse(path, text), placeOf: () => path }), dirname(path))
}

function readText(path: string, mayBeMissing: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (mayBeMissing && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined
    throw refusal(`Cannot read the settings in ${path}: ${message}.`)
  }
}

function parse(path: string, text: string): unknown {
  try {
    return parseWithoutMark(text)
  } catch (error) {
    // The words of the parser repeat a piece of the file, which may be a token.
    const [, place] = /(\(line \d+ column \d+\))/.exec((error as Error).message) ?? []
    throw refusal(`The settings in ${path} are not valid JSON${place === undefined ? '' : ` ${place}`}.`)
  }
}
