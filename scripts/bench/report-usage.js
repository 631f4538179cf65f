/**
 * Reports the CPU time and the memory of its process to the parent process, when that asks. For `node --import`. It is
 * JavaScript, because node loads it without tsx.
 */
process.on('message', () => process.send({ cpuUsage: process.cpuUsage(), memory: process.memoryUsage() }));
// the server ends although its parent is there
process.channel?.unref();
