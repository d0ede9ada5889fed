import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

/** Loaded before the command line: counts the modules of this package that the main thread loads, and reports them at its end. */
const source = new URL('..', import.meta.url).href
const seen = new Set<string>()

if (isMainThread) {
  registerHooks({
    load(url, context, next) {
      if (url.startsWith(source) && url !== import.meta.url) seen.add(url.slice(source.length))
      return next(url, context)
    },
  })
  process.on('exit', () => writeSync(2, `modules ${JSON.stringify([...seen])}\n`))
}
