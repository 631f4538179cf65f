/**
 * Reports the CPU time and memory of a process when the parent process asks. For `node --import`. It is JavaScript,
 * because Node loads it without tsx.
 */
process.on('message', () => process.send({ cpuUsage: process.cpuUsage(), memory: process.memoryUsage() }));
// the channel to the parent does not keep the server running
process.channel?.unref();
