startProgram();
startSearch();
