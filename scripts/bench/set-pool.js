// Loaded into a measured server with `--import`. The query of this module's URL, `?most=`, sets the number of
// connections for requests.
import { pathToFileURL } from 'node:url';

const { CONNECTION_BOUNDS } = await import(new URL('store/connections.js', pathToFileURL(process.argv[1])).href);
CONNECTION_BOUNDS.requests.most = Number(new URL(import.meta.url).searchParams.get('most'));
