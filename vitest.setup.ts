import { configureGlobal } from 'fast-check'
import { flushCompileCache } from 'node:module'
import { env } from 'node:process'
import { afterAll } from 'vitest'

// The same cases in every run: a change is judged by what it changes, not by luck. `npm run test:properties` draws others.
const seed = env['DRAGOMAN_SEED'] ?? '1'
configureGlobal({ seed: seed === 'random' ? Date.now() : Number(seed) })

// Vitest ends its processes by a signal, so that nothing is kept at their end.
afterAll(() => flushCompileCache())
