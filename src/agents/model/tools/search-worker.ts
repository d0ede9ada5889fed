import { parentPort, workerData } from 'node:worker_threads'
import { searchFiles, type SearchTask } from './search-files.ts'

// An expression may never end; in a separate thread it can be stopped.
const found = await searchFiles(workerData as SearchTask)
parentPort?.postMessage(found)
