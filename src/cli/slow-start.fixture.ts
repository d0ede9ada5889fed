import { once } from 'node:events'
import { start } from './run-command-line.ts'

// A server like that of `npm start`, whose web app takes forever to build.
await start({
  async beforeServing(signal) {
    process.stdout.write('Building\n')
    const kept = setInterval(() => {}, 60_000)
    await once(signal, 'abort')
    clearInterval(kept)
  },
})
