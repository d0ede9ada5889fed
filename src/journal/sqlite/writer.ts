import { parentPort } from 'node:worker_threads'
import { openWriter, type Writer } from './open-writer.ts'
import type { ToWriter } from './writer-messages.ts'

// The writer's thread. It is started before the database is ready, and opens it when it is told to.
let writer: Writer | undefined

parentPort?.on('message', (message: ToWriter) => {
  switch (message.type) {
    case 'open':
      writer = openWriter(message.options, told => parentPort?.postMessage(told))
      return
    case 'commit':
      writer?.commit(message)
      return
    case 'rest':
      writer?.rest(message.sessions)
      return
    case 'close':
      writer?.close()
      parentPort?.close()
      return
  }
})
