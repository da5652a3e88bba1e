import { gallery } from './gallery.ts';

process.stdout.write(JSON.stringify(gallery()));
