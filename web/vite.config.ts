import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { doors } from './doors.ts'

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: [...doors] },
  plugins: [react()],
  build: {
    target: 'es2024',
    outDir: '../dist/web',
    emptyOutDir: true,
    // What is smaller would become a data: address, which the policy of the page forbids for scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { app: 'index.html', diagram: 'diagram.html' } },
    manifest: 'files.json',
  },
  worker: { format: 'es' },
})
